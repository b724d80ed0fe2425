/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares lines, expressions and stacks of two sides, for the page of a comparison or of
   -growth. A side can have several runs; the values of each run are stored.

   The stacks are a tree. Node 0, the root, has the total, so the change of the total is
   tested together with the changes of the nodes. */

#ifndef MLPROF_BREAKDOWN_H
#define MLPROF_BREAKDOWN_H

#include "mlprof/base/buf.h"
#include "mlprof/compare/match.h"
#include "mlprof/compare/runset.h"

/* A stack of functions. If a function calls another function on several lines, all
   these calls share one node. */
struct breakdown_node {
    /* The stack without its innermost function; BREAKDOWN_NONE for the root. */
    uint32_t parent;
    /* Number of the innermost function in the side. BREAKDOWN_NONE for the root, and
       if the innermost entry is not a function. */
    uint32_t function;
};

#define BREAKDOWN_NONE UINT32_MAX

/* Initialize with zeros. */
struct breakdown {
    struct runset lines, expressions;
    /* The runs, with two columns of the main measure by node: the value of the node
       without its children, and the value with all nodes below it. */
    struct runset stacks;
    BUF_VECTOR(struct breakdown_node) nodes; /* a parent precedes its children */
    struct index index;
};

/* Adds a run. REPORT has rows by every key. The run has already been added to SIDE. */
void breakdown_add(struct breakdown *breakdown, struct runset *side,
                   struct report *report);

void breakdown_free(struct breakdown *breakdown);

/* The trees of two sides, joined. */
struct breakdown_tree {
    struct breakdown_node *nodes; /* FUNCTION is a row of the match */
    struct match match;           /* by node: the numbers of the node in both sides */
};

/* Fills TREE with the stacks that have at least 0.1 % of the total on one of the sides.
   MATCH is the match of the sides' functions. Free TREE with breakdown_tree_free. */
void breakdown_join(struct breakdown_tree *tree, const struct breakdown *const sides[2],
                    const struct match *match);

void breakdown_tree_free(struct breakdown_tree *tree);

#endif
