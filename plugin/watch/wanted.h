/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wanted: finds blocks where a copy runs though its Enter is lost or was moved, for
   open.  GCC drops markers that stand alone in a block, and makes jumps that pass them
   by: then a block begins with a statement of the copy, and all ways on come to the
   copy's Leave next.  Or GCC moves markers into the block behind, which may be the
   head of a loop in the copy: then the copy is entered on the edges on which it is not
   open already.  */

#ifndef CCPROF_WANTED_H
#define CCPROF_WANTED_H

/* By the numbers of the basic blocks: the innermost watched scope that is running where
   the block begins; NULL_TREE: nothing is known.  The caller frees it.  */
tree *wanted_find(void);

#endif
