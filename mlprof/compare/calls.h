/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares lines, expressions, stacks, callers, callees and the hot path of two sides.
   A side can have several runs. breakdown.c stores the values of each run; the pages
   of comparisons use it, too. calls.c compares callers, callees and the hot path, for
   -callers, -callees, -peek and -hot-path with -compare.

   All rows that the command line requests are tested together, like the changes of
   functions. The stacks are a tree. Node 0, the root, has the total, so the change
   of the total is tested together with the changes of the nodes. */

#ifndef MLPROF_CALLS_H
#define MLPROF_CALLS_H

#include "mlprof/base/buf.h"
#include "mlprof/compare/change.h"
#include "mlprof/compare/match.h"

/* The meaning of a node: a stack, or a node that calls.c makes. */
enum breakdown_kind {
    BREAKDOWN_STACK,
    BREAKDOWN_ITSELF, /* a function; its callers or callees are below it */
    BREAKDOWN_CALLER,
    BREAKDOWN_CALLEE,
    BREAKDOWN_ROOT /* from here on: the root of one option */
};

/* A stack of functions. If a function calls another function on several lines, all
   these calls share one node. */
struct breakdown_node {
    /* The stack without its innermost function; BREAKDOWN_NONE for the root. */
    uint32_t parent;
    /* Number of the innermost function in the side. BREAKDOWN_NONE for the root, and
       if the innermost entry is not a function. */
    uint32_t function;
    unsigned kind; /* an enum breakdown_kind, or BREAKDOWN_ROOT plus a view */
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

/* Returns the number of a node. Adds the node if it is missing. */
uint32_t breakdown_put(struct breakdown *breakdown, struct breakdown_node node);

/* Returns for each row of ROWS the number of its function in SIDE, or BREAKDOWN_NONE
   for a branch. The caller frees the array. */
uint32_t *breakdown_numbers(struct runset *side, const struct rows *rows);

/* Adds the stacks of ROWS below ROOT. NUMBERS has the numbers of the functions of
   ROWS in BREAKDOWN. If FOLDED, a recursive call shares the node of the outer call of
   the same function. Returns, for each node of the stacks of ROWS, its node in
   BREAKDOWN, or BREAKDOWN_NONE if it has no weight. The caller frees the array. */
uint32_t *breakdown_places(struct breakdown *breakdown, uint32_t root,
                           const struct rows *rows, const uint32_t *numbers, bool folded);

/* Adds a run of REPORT with two columns by node: the values of the stacks, and the
   values including all stacks below. PLACES has the node of each stack of REPORT;
   NULL: no stack has a node. */
struct runset_run *breakdown_add_run(struct breakdown *breakdown,
                                     const struct report *report, const uint32_t *places);

/* Returns the values of all heap measures by node. PLACES as for breakdown_add_run.
   Freed by measured_free. */
struct measured *breakdown_amounts(const struct breakdown *breakdown,
                                   const struct report *report, const uint32_t *places);

void breakdown_free(struct breakdown *breakdown);

/* The trees of two sides, joined. */
struct breakdown_tree {
    struct breakdown_node *nodes; /* FUNCTION is a row of the match */
    struct match match;           /* by node: the numbers of the node in both sides */
};

/* Fills TREE with the stacks that have at least the share LEAST (0 to 1) of the total
   on one of the sides. MATCH is the match of the sides' functions. Free TREE with
   breakdown_tree_free. */
void breakdown_join(struct breakdown_tree *tree, const struct breakdown *const sides[2],
                    const struct match *match, double least);

void breakdown_tree_free(struct breakdown_tree *tree);

/* The views, in the order of their output. */
enum calls_view { CALLS_CALLERS, CALLS_CALLEES, CALLS_PEEK, CALLS_PATH, CALLS_VIEWS };

/* Adds to CALLS the last run of SIDE; REPORT is the report of that run. REQUESTED has
   for each view an array that says for each row of REPORT whether the row was
   requested. NULL: the view was not requested. For CALLS_PATH the values in the
   array are ignored. */
void calls_add(struct breakdown *calls, struct runset *side, const struct report *report,
               bool *const requested[CALLS_VIEWS]);

struct calls_row {
    enum calls_view view;
    enum breakdown_kind kind;
    uint32_t function; /* row of the functions' match */
    uint32_t subject;  /* caller or callee: row of the function itself, or NONE */
};

struct calls {
    struct calls_row *rows; /* by row of MATCH; rows of the path in its order */
    struct match match;     /* of nodes */
    struct changes changes;
    size_t
        path_side; /* the side with the greater total, whose tree determines the path */
};

/* Fills CALLS. FUNCTIONS is the match of the functions of both sides. MEASURE is the
   measure of the runs. Free CALLS with calls_free. */
void calls_find(struct calls *calls, const struct breakdown *const sides[2],
                const struct match *functions, struct runset_measure measure,
                bool of_share);

void calls_free(struct calls *calls);

#endif
