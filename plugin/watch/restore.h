/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restore: puts the markers of functions with a stopwatch, and of inlined copies of
   them, back where GCC has dropped them, for anchor: Enter and Leave come to where
   open.h finds that a scope begins and ceases to be open.  */

#ifndef CCPROF_RESTORE_H
#define CCPROF_RESTORE_H

/* In the current function, which has a root scope, before the last inlining.  */
void restore_markers(void);

#endif
