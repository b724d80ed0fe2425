/* SPDX-License-Identifier: MIT */
/* Numbers the names of phases and of regions, in a table of fixed size.  */

#ifndef CCPROF_LABELS_H
#define CCPROF_LABELS_H

#define CCPROF_LABELS_PHASES 64
#define CCPROF_LABELS_MAX    (CCPROF_LABELS_PHASES + 4096)
#define CCPROF_LABELS_NAME   64 /* bytes of a phase's, the NUL included */

/* The number of the label, which is added if it is new; -1 if there is no room: phases
   have CCPROF_LABELS_PHASES, besides those that are kept.  A name that is too long is cut
   off.  Async-signal-safe, any thread.  */
int ccprof_labels_find(const char *name);

/* The same for a name of any length, which stays where it is.  */
int ccprof_labels_keep(const char *name);

/* Numbers below this have names.  */
unsigned ccprof_labels_count(void);
const char *ccprof_labels_name(unsigned number);

#endif
