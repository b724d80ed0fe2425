/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges stacks into a tree of functions, for views and formats that do not
   distinguish copies and positions. */

#ifndef MLPROF_TREE_H
#define MLPROF_TREE_H

#include "mlprof/rows/rows.h"

/* Number of the empty stack. The empty stack is the root, and is no child or sibling
   of other stacks. */
#define TREE_EMPTY 0

/* A stack of functions. */
struct tree_node {
    uint32_t parent;
    uint32_t row;            /* row of its innermost function */
    uint64_t count;          /* of this stack only, without its children */
    uint32_t child, sibling; /* first child and next sibling, or TREE_EMPTY */
    /* Only for calltree.h: the share, or the count, is an estimate. */
    bool estimated, count_estimated;
    /* Only for tree_of_paths. DEPTH: the maximum number of frames of the function on
       one of the original stacks that were merged into this stack or into a stack
       below it. DEEPER: the runtime left calls out of one of these stacks, so the true
       number may be higher. */
    uint32_t depth;
    bool deeper;
};

struct tree {
    struct tree_node *nodes; /* each parent comes before its children */
    size_t count, capacity;
    struct index index;
    /* Only for calltree.h, by node: what the stack executed with all callees, also
       with those that are not known and therefore begin stacks of their own. */
    BUF_VECTOR(uint64_t) shares;
};

/* Each function fills TREE. The caller frees it with tree_free. tree_of_stacks adds
   the stacks with their counts. tree_of_paths does the same without recursion: if a
   function occurs again, the stack continues from its first occurrence.
   tree_of_functions adds a stack for each function, with its amount of MEASURE as its
   count. */
void tree_of_stacks(struct tree *tree, const struct rows *rows);
void tree_of_paths(struct tree *tree, const struct rows *rows);
void tree_of_functions(struct tree *tree, const struct rows *rows,
                       const struct measure *measure);

/* For the functions above and calltree.h. tree_begin starts a tree that has only the
   empty stack, tree_add adds a stack that is not in the tree, and tree_link sets the
   children and siblings of all stacks, in the order in which they were added. */
void tree_begin(struct tree *tree);
uint32_t tree_add(struct tree *tree, uint32_t parent, uint32_t row);
void tree_link(struct tree *tree);

void tree_free(struct tree *tree);

/* Returns, by node, the sum of the counts of this stack and of all stacks below it.
   The caller frees it. */
uint64_t *tree_weights(const struct tree *tree);

/* The same, but for calltree.h its shares. */
uint64_t *tree_totals(const struct tree *tree);

/* A walk over all stacks except the empty stack. The walk visits a stack before its
   children. Children are visited in the order in which they were added. All members
   start as zero. */
struct tree_walk {
    uint32_t node;
    size_t depth; /* number of functions on the stack */
};

/* Moves to the next stack. Returns false if there is none. */
bool tree_walk_next(const struct tree *tree, struct tree_walk *walk);

#endif
