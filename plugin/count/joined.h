/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joined: makes one mark of the marks of a block that are always passed together, for
   condense.h.  This pass runs behind early inlining, so that GCC has less to look at,
   and to copy where the function is inlined.  What the compiler streams has its marks
   as they are.  */

#ifndef CCPROF_JOINED_H
#define CCPROF_JOINED_H

/* Whether that is done.  */
bool joined_joins(void);

/* Appends to MARKED what MARK (counter.h) stands for: itself, or those it was made of. */
void joined_append(tree mark, vec<tree> *marked);

#endif
