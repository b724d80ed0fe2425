/* SPDX-License-Identifier: MIT */
/* A frozen table as a tree, from the callers down.  */

#ifndef CCPROF_TREE_H
#define CCPROF_TREE_H

#include "table.h"

/* Links the points that have samples, and those above them.  Once.  */
void ccprof_tree_build(struct ccprof_table *table);

/* Visits the points of the tree in preorder until it is told to stop; returns
   what VISIT returned.  */
int ccprof_tree_each(struct ccprof_table *table, ccprof_visit *visit, void *context);

#endif
