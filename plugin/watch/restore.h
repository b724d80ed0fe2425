/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restore: puts the markers of functions with a stopwatch, and of inlined copies of them,
   back where GCC has dropped them, for anchor: between what open.h finds to be open.  */

#ifndef CCPROF_RESTORE_H
#define CCPROF_RESTORE_H

/* In the current function, which has a root scope, before the last inlining.  */
void restore_markers(void);

#endif
