/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates a profile with the tables: adds up what each source function has of it, for
   the views.  */

#ifndef MLPROF_ROWS_H
#define MLPROF_ROWS_H

#include "mlprof/rows/branch.h"
#include "mlprof/stacks/stacks.h"

/* What rows are of; others than functions come from grouping.h.  */
enum rows_key {
    ROWS_FUNCTIONS,
    ROWS_COPIES,
    ROWS_LINES,
    ROWS_EXPRESSIONS,
    ROWS_LOOPS,
    ROWS_FILES,
    ROWS_MODULES,
    ROWS_PHASES,
    ROWS_THREADS,
    ROWS_RANKS,
    ROWS_MPI
};

/* How many there are.  */
#define ROWS_KEYS (ROWS_MPI + 1)

/* The machine code of a copy.  */
struct rows_code {
    uint64_t bytes; /* 0: not known */
    uint64_t insns; /* likewise */
};

/* What a function has of a measure that is its branches'.  */
struct rows_branched {
    uint64_t cur, bytes, blocks;
};

/* A source function, all its copies together; or what else the key says, of which the
   source is the function that most of it is in.  */
struct rows_row {
    struct identity_source source;
    const char *shown; /* its name in the views, see names.h; NULL: that of the source */
    uint32_t more; /* only of lines, expressions and loops: functions that have it, too */
    const char *place; /* where or what it is, always shown, with parts (text.h); NULL:
                          where the source is */
    uint64_t cur;      /* samples while it was the innermost; of a function with branches
                          without those of these */
    uint64_t stack;    /* samples while it was anywhere on the stack */
    uint64_t within;   /* only of lines, expressions and loops: samples in them and what
                          was inlined into them */
    struct rows_code code; /* of copies */
    struct stacks_trust trust;
    bool counted; /* it has a counter of calls; its executions are known */
    bool branch;  /* no function: CALLS are how often it was taken */
    /* Of a branch: nothing tells its samples, and what it calls; or its bytes and blocks.
       Then these are 0.  */
    bool no_cur, no_stack, no_bytes;
    uint64_t calls;
    uint64_t bytes, blocks; /* allocated while it was the innermost; likewise */
    struct rows_branched branched;
};

/* Samples while CALLER had called CALLEE, each counted once; rows' numbers.  */
struct rows_edge {
    uint32_t caller; /* STACKS_NONE: outside */
    uint32_t callee;
    uint64_t weight; /* 0: nothing was measured, but there is such a call */
};

/* A copy of a source that the tables tell of.  */
struct rows_copy {
    uint32_t row;
    uint32_t around; /* the copy that it is inlined in; STACKS_NONE: none */
};

struct rows {
    enum rows_key key;
    struct stacks stacks;
    struct rows_row *rows; /* by decreasing cur, then stack if there are stacks,
                               then name, file, line */
    uint32_t *of_source;   /* the row of each of the stacks' sources */
    size_t source_count;   /* that have one there */
    uint32_t *of_node;     /* not of functions: the row that each node of their stacks is
                              in; STACKS_NONE: none */
    uint32_t *around;      /* of loops: the row of the one around each; STACKS_NONE */
    uint32_t *branch_of_node; /* of functions with branches: the row of the innermost one
                                 that each node of their stacks is in, STACKS_NONE: none;
                                 NULL: there are no branches */
    uint32_t *branch_around;  /* likewise by row: that of the branch around it */
    size_t count;
    struct rows_edge *edges;
    size_t edge_count, edge_capacity;
    struct rows_copy *copies; /* of a catalog (catalog.h), which has no stacks */
    size_t copy_count, copy_capacity;
    bool has_arcs;  /* who called whom was counted: no edges, but arcs */
    uint64_t total; /* what the rows' cur add up to */
    bool stack;     /* the rows' stack is all that there was, not only what was inlined */
};

/* Fills ROWS, which rows_free frees, of STACKS, which become theirs.  Rows without
   anything measured are left out, but those with a counter.  If calls are all that was
   measured, CUR and STACK are calls, too.  FLOWS, NULL if there are none, tell of
   branches, each of which is a row; SCOPE says of which functions.  What is measured in a
   branch is the innermost one's, and not the function's.  */
void rows_evaluate(struct rows *rows, const struct stacks *stacks,
                   const struct profile *profile, const struct program *program,
                   const struct flowcounts *flows, enum branch_scope scope);

void rows_free(struct rows *rows);

/* The row of a node of the stacks; of one that has a weight.  */
uint32_t rows_of_node(const struct rows *rows, uint32_t node);

/* The row that the samples of a node are of, if it has any: that of a branch, or that of
   its function.  */
static inline uint32_t rows_of_samples(const struct rows *rows, uint32_t node)
{
    uint32_t branch = rows->branch_of_node ? rows->branch_of_node[node] : STACKS_NONE;
    return branch != STACKS_NONE ? branch : rows_of_node(rows, node);
}

/* What a function has with its branches: its samples, and the row with all of it.  */
static inline uint64_t rows_whole(const struct rows_row *row)
{
    return row->cur + row->branched.cur;
}

static inline struct rows_row rows_with_branches(const struct rows_row *row)
{
    struct rows_row whole = *row;
    whole.cur = rows_whole(row);
    whole.bytes += row->branched.bytes;
    whole.blocks += row->branched.blocks;
    return whole;
}

/* Orders ROWS as above, those of one name by place, and what NUMBERS has of each of them
   alike.  */
void rows_sort(struct rows *rows, uint32_t *numbers);

/* The order of names, then files, then lines; for qsort.  */
int rows_by_name(const struct rows_row *a, const struct rows_row *b);

/* For a walk over the stacks, at each event of a thing that can be on them: adds the
   WEIGHT of the node to *SUM unless the thing is on this stack already.  *ACTIVE, 0 at
   first, belongs to the thing.  */
void rows_count_once(uint32_t *active, uint64_t *sum, bool leave, uint64_t weight);

/* What the rows are of is executed, not called: their calls are executions.  */
static inline bool rows_are_executed(const struct rows *rows)
{
    return rows->key == ROWS_LINES || rows->key == ROWS_EXPRESSIONS ||
           rows->key == ROWS_LOOPS;
}

/* 100 * AMOUNT / TOTAL; 0 if there is no total.  */
double rows_percent(uint64_t amount, uint64_t total);

#endif
