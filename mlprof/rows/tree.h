/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges stacks into a tree of functions, for the views and formats that know no copies
   and no positions.  */

#ifndef MLPROF_TREE_H
#define MLPROF_TREE_H

#include "mlprof/rows/rows.h"

/* The number of the empty stack, of which all begin; it is below and beside none.  */
#define TREE_EMPTY 0

/* A stack of functions.  */
struct tree_node {
    uint32_t parent;
    uint32_t row;            /* of its innermost function */
    uint64_t count;          /* of this very stack */
    uint32_t child, sibling; /* the first below it, the one beside it; or TREE_EMPTY */
};

struct tree {
    struct tree_node *nodes; /* a parent stands before its children */
    size_t count, capacity;
    struct index index;
};

/* Fill TREE, which tree_free frees: with the stacks and their counts; with functions that
   stand alone, and what AMOUNT says of each.  */
void tree_of_stacks(struct tree *tree, const struct rows *rows);
void tree_of_functions(struct tree *tree, const struct rows *rows,
                       uint64_t (*amount)(const struct rows_row *row));

void tree_free(struct tree *tree);

/* By node, the counts of this stack and of all that begin with it; to be freed.  */
uint64_t *tree_weights(const struct tree *tree);

/* A walk over all stacks but the empty one, in the order in which they were first seen,
   each before those that begin with it.  Starts as all zero.  */
struct tree_walk {
    uint32_t node;
    size_t depth; /* functions of the stack */
};

/* The next one; false if there is none.  */
bool tree_walk_next(const struct tree *tree, struct tree_walk *walk);

#endif
