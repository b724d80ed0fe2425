/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a tree of calls with inclusive amounts (rows/called.h). What a function executed
   in its callees is known for each call, but not for each of the function's own callers:
   it is divided in proportion to what the callers executed in the function, as gprof does
   (Graham, Kessler, McKusick, 1982). Then the counts of each function are adjusted: their
   sum is its own amount. A function that is called in another way than by a known call
   begins a stack. A recursion continues from the function's first occurrence. */

#ifndef MLPROF_CALLTREE_H
#define MLPROF_CALLTREE_H

#include "mlprof/rows/tree.h"

/* Stacks of less than this part of all are not divided further. */
#define CALLTREE_LEAST 4096

/* Each function fills TREE. The caller frees it with tree_free. calltree_of_stacks and
   calltree_of_paths are tree_of_stacks and tree_of_paths if no calls are known. */
void calltree_of_calls(struct tree *tree, const struct rows *rows);
void calltree_of_stacks(struct tree *tree, const struct rows *rows);
void calltree_of_paths(struct tree *tree, const struct rows *rows);

#endif
