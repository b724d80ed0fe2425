/* SPDX-License-Identifier: MIT */
/* Keeps the names of phases that the program has given, in a table of fixed size.  */

#ifndef CCPROF_LABELS_H
#define CCPROF_LABELS_H

#define CCPROF_LABELS_MAX  64
#define CCPROF_LABELS_NAME 64 /* bytes, the NUL included */

/* The number of the label, which is added if it is new; -1 if there is no room.  A name
   that is too long is cut off.  Async-signal-safe, any thread.  */
int ccprof_labels_find(const char *name);

/* Numbers below this have names.  */
unsigned ccprof_labels_count(void);
const char *ccprof_labels_name(unsigned number);

#endif
