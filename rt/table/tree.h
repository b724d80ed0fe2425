/* SPDX-License-Identifier: MIT */
/* Shows a frozen table as a tree, from the callers down, to the writer of mlmon.out.  */

#ifndef CCPROF_TREE_H
#define CCPROF_TREE_H

#include "rt/table/table.h"

/* Links the points that have samples, and those above them.  Once, until it is
   forgotten.  */
void ccprof_tree_build(struct ccprof_table *table);

/* Takes the samples of a data set (scope.h), or of all, out; returns how many they were.
 */
uint64_t ccprof_tree_take(struct ccprof_table *table, uint64_t dataset);

/* Unlinks all, so that the tree can be built again.  */
void ccprof_tree_forget(struct ccprof_table *table);

/* Visits the points of the tree in preorder until it is told to stop; returns
   what VISIT returned.  */
int ccprof_tree_each(struct ccprof_table *table, ccprof_visit *visit, void *context);

#endif
