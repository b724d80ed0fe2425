/* SPDX-License-Identifier: MIT */
/* Writes the profile so far from time to time, so that a process that is killed, which no
   handler is told of, leaves what it measured until then.  */

#ifndef CCPROF_CHECKPOINT_H
#define CCPROF_CHECKPOINT_H

#include <stdbool.h>

/* Begins: the first one is due in a second, the next in two, four and so on, at last
   every SECONDS; EVEN: all are due every SECONDS; 0: none is.  Constructor.  */
void ccprof_checkpoint_start(unsigned seconds, bool even);

/* The child of a fork begins anew.  */
void ccprof_checkpoint_child(void);

#endif
