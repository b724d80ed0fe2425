/* SPDX-License-Identifier: MIT */
/* Keeps the names of phases that the program has given, in a table of fixed size.  All
   functions are async-signal-safe, in any thread.  */

#ifndef CCPROF_LABELS_H
#define CCPROF_LABELS_H

#include "rt/format.h"

#define CCPROF_LABELS_NAME 64 /* bytes, with the NUL */

/* Returns the number of the label, which is added if it is new; -1 if there is no room.
   A name that is too long is cut off.  */
int ccprof_labels_find(const char *name);

/* Returns how many labels there are.  */
unsigned ccprof_labels_count(void);
const char *ccprof_labels_name(unsigned number);

#endif
