/* SPDX-License-Identifier: MIT */
/* Writes the profile from time to time while the run goes on, so that a process that is
   killed, which no handler can see, leaves what was measured until then.  */

#ifndef CCPROF_CHECKPOINT_H
#define CCPROF_CHECKPOINT_H

#include <stdbool.h>

/* Starts checkpoints: the first one is due after a second, the next ones after two, four
   seconds and so on, up to SECONDS.  EVEN: each is due SECONDS after the last.  SECONDS
   0: there are none.  Constructor.  */
void ccprof_checkpoint_start(unsigned seconds, bool even);

/* Starts checkpoints again, in the child of a fork.  */
void ccprof_checkpoint_child(void);

#endif
