/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges stacks into a tree of functions, for the views and formats that do not
   distinguish copies and positions.  */

#ifndef MLPROF_TREE_H
#define MLPROF_TREE_H

#include "mlprof/rows/rows.h"

/* The number of the empty stack, the root, which is the child and sibling of none.  */
#define TREE_EMPTY 0

/* A stack of functions.  */
struct tree_node {
    uint32_t parent;
    uint32_t row;            /* the row of its innermost function */
    uint64_t count;          /* of this stack alone, without its children */
    uint32_t child, sibling; /* the first child and the next sibling, or TREE_EMPTY */
    /* Only for tree_of_paths.  DEPTH: how often, at most, the function is on one of the
       stacks that this stack or a stack below it stands for.  DEEPER: the runtime left
       calls out of one of them, so it may be more often.  */
    uint32_t depth;
    bool deeper;
};

struct tree {
    struct tree_node *nodes; /* a parent stands before its children */
    size_t count, capacity;
    struct index index;
};

/* Fill TREE, which tree_free frees: tree_of_stacks with the stacks and their counts;
   tree_of_paths with the same without recursion: where a function comes again, a stack
   goes on from where the function was first; tree_of_functions with stacks of one
   function each, and AMOUNT as their counts.  */
void tree_of_stacks(struct tree *tree, const struct rows *rows);
void tree_of_paths(struct tree *tree, const struct rows *rows);
void tree_of_functions(struct tree *tree, const struct rows *rows,
                       uint64_t (*amount)(const struct rows_row *row));

void tree_free(struct tree *tree);

/* By node: the sum of the counts of this stack and of all below it; to be freed.  */
uint64_t *tree_weights(const struct tree *tree);

/* A walk over all stacks but the empty one, a stack before its children, in the order in
   which they were first seen.  Starts as all zero.  */
struct tree_walk {
    uint32_t node;
    size_t depth; /* the number of functions on the stack */
};

/* Goes to the next stack; false if there is none.  */
bool tree_walk_next(const struct tree *tree, struct tree_walk *walk);

#endif
