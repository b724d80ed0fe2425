/* SPDX-License-Identifier: MIT */
/* Shows a frozen table as a tree, from the callers down, for the writer of mlmon.out.
   One thread at a time.  */

#ifndef CCPROF_TREE_H
#define CCPROF_TREE_H

#include "rt/table/table.h"

/* Links the points that have samples, and all points above them.  Call this once before
   forget.  */
void ccprof_tree_build(struct ccprof_table *table);

/* Takes the samples of a data set (datasets.h), or of all data sets, out of the tree;
   returns how many samples they were.  */
uint64_t ccprof_tree_take(struct ccprof_table *table, uint64_t dataset);

/* Unlinks all points, so that the tree can be built again.  */
void ccprof_tree_forget(struct ccprof_table *table);

/* Visits the points of the tree in preorder until VISIT returns nonzero; returns what
   VISIT returned last.  */
int ccprof_tree_each(struct ccprof_table *table, ccprof_visit *visit, void *context);

#endif
