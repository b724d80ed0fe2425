/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds what the runs of a side had of other things than functions, run by run, for pages
   of comparisons: of lines, of expressions, and of stacks of functions as a tree.  */

#ifndef MLPROF_BREAKDOWN_H
#define MLPROF_BREAKDOWN_H

#include "mlprof/compare/match.h"

/* A stack of functions, wherever in them: the calls of one to another are one node.  */
struct breakdown_node {
    uint32_t parent;   /* BREAKDOWN_NONE: the outermost */
    uint32_t function; /* its number in the side; BREAKDOWN_NONE: it is none's */
};

#define BREAKDOWN_NONE UINT32_MAX

/* Starts as all zero.  */
struct breakdown {
    struct side lines, expressions;
    struct side stacks; /* runs by node: SIDE_TIME is what its innermost function
                           has, SIDE_STACK that and all below */
    struct breakdown_node *nodes; /* a parent stands before its children */
    size_t node_count, node_capacity;
    struct index index;
};

/* Adds a run, of which RESULT has rows of all groups, and which SIDE has already.  */
void breakdown_add(struct breakdown *breakdown, struct side *side,
                   const struct evaluate_result *result);

void breakdown_free(struct breakdown *breakdown);

/* The trees of two sides as one.  */
struct breakdown_tree {
    struct breakdown_node *nodes; /* their functions are rows of the match */
    struct match match;           /* of nodes; their numbers are the sides' */
};

/* Fills TREE, which breakdown_tree_free frees, with the stacks that have at least LEAST
   of all, 0 to 1, on either side; MATCH is of the functions of the sides.  */
void breakdown_join(struct breakdown_tree *tree, const struct breakdown *const sides[2],
                    const struct match *match, double least);

void breakdown_tree_free(struct breakdown_tree *tree);

#endif
