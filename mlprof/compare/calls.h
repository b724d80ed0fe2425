/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines, expressions, stacks and calls of the runs of a side, run by run. breakdown.c
   holds them, for pages of comparisons, too; calls.c compares callers, callees and the
   hot path, for -callers, -callees, -peek and -hot-path with -compare.  Their changes are
   tested as changes of functions are, all that the command line requests together.  The
   stacks are a tree.  Its root, node 0, has all that was measured, so the whole is tested
   as each of its parts is.  */

#ifndef MLPROF_CALLS_H
#define MLPROF_CALLS_H

#include "mlprof/compare/change.h"
#include "mlprof/compare/match.h"

/* What a node is: a stack, or one of those that calls.c makes.  */
enum breakdown_what {
    BREAKDOWN_STACK,
    BREAKDOWN_ITSELF, /* a function whose callers or callees are below it */
    BREAKDOWN_CALLER,
    BREAKDOWN_CALLEE,
    BREAKDOWN_ROOT /* this and the following: the root of one option */
};

/* A stack of functions.  Calls of one function by another are one node, from whatever
   line.  */
struct breakdown_node {
    /* The stack without its innermost function; BREAKDOWN_NONE: the root.  */
    uint32_t parent;
    /* Number of the innermost function in the side; BREAKDOWN_NONE: it is no function, or
       the root.  */
    uint32_t function;
    unsigned what; /* of enum breakdown_what */
};

#define BREAKDOWN_NONE UINT32_MAX

/* Starts as all zero.  */
struct breakdown {
    struct runset lines, expressions;
    /* Runs by node: what the node has alone, and on the stack, with all nodes below, of
       the main measure.  */
    struct runset stacks;
    struct breakdown_node *nodes; /* a parent stands before its children */
    size_t node_count, node_capacity;
    struct index index;
};

/* Adds a run.  RESULT has rows by every key, and SIDE has the run already.  */
void breakdown_add(struct breakdown *breakdown, struct runset *side,
                   const struct evaluate_result *result);

/* The number of a node, which is added if it is missing.  */
uint32_t breakdown_put(struct breakdown *breakdown, struct breakdown_node node);

/* By row of ROWS, the number of its function in SIDE, or BREAKDOWN_NONE for a branch; to
   be freed.  */
uint32_t *breakdown_numbers(struct runset *side, const struct rows *rows);

/* Puts the stacks of ROWS, whose functions have NUMBERS, below ROOT; a function that
   comes again on a stack is one with itself if FOLDED.  By node of the stacks: its node,
   or BREAKDOWN_NONE if it has no weight; to be freed.  */
uint32_t *breakdown_places(struct breakdown *breakdown, uint32_t root,
                           const struct rows *rows, const uint32_t *numbers, bool folded);

/* Adds a run of RESULT with two columns by node: of what its stacks, which have PLACES,
   have, and of that with all below them.  PLACES may be NULL: none has a place.  */
struct runset_run *breakdown_add_run(struct breakdown *breakdown,
                                     const struct evaluate_result *result,
                                     const uint32_t *places);

/* The same of all measures of the heap, by node; to be freed.  */
struct amounts breakdown_amounts(const struct breakdown *breakdown,
                                 const struct evaluate_result *result,
                                 const uint32_t *places);

void breakdown_free(struct breakdown *breakdown);

/* The trees of two sides in one.  */
struct breakdown_tree {
    struct breakdown_node *nodes; /* FUNCTION is a row of the match */
    struct match match;           /* of nodes, whose numbers are the sides' */
};

/* Fills TREE, which breakdown_tree_free frees, with the stacks that have at least LEAST
   of all, 0 to 1, on either side.  MATCH is the match of the sides' functions.  */
void breakdown_join(struct breakdown_tree *tree, const struct breakdown *const sides[2],
                    const struct match *match, double least);

void breakdown_tree_free(struct breakdown_tree *tree);

/* The views, in the order in which they are printed.  */
enum calls_view { CALLS_CALLERS, CALLS_CALLEES, CALLS_PEEK, CALLS_PATH, CALLS_VIEWS };

/* Adds to CALLS the run that was added last to SIDE, of whose measure RESULT is.
   REQUESTED: by view, then by row of RESULT, whether that is meant; NULL: the view is not
   asked for. Of the path the rows are of no account.  */
void calls_add(struct breakdown *calls, struct runset *side,
               const struct evaluate_result *result, bool *const requested[CALLS_VIEWS]);

/* A row of the comparison.  */
struct calls_row {
    enum calls_view view;
    enum breakdown_what what;
    uint32_t function; /* row of the functions' match */
    uint32_t of; /* of a caller or callee: the row of the function itself, or NONE */
};

struct calls {
    struct calls_row *rows; /* by row of MATCH; those of the path in its order */
    struct match match;     /* of nodes */
    struct changes changes;
    size_t more; /* the side that has more, on which the path is */
};

/* Fills CALLS, which calls_free frees.  FUNCTIONS is the match of the functions of both
   sides.  MEASURE is that of the runs.  */
void calls_find(struct calls *calls, const struct breakdown *const sides[2],
                const struct match *functions, struct runset_measure measure,
                bool of_share);

void calls_free(struct calls *calls);

#endif
