/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates a profile with the tables: adds up the samples, counts and calls of each
   source function, and gives each a name.  Views read the result.  */

#ifndef MLPROF_ROWS_H
#define MLPROF_ROWS_H

#include "mlprof/rows/branch.h"
#include "mlprof/rows/amounts.h"
#include "mlprof/stacks/stacks.h"
#include "mlprof/names/names.h"

/* The thing that a row stands for.  grouping.h makes the rows of other things than
   functions.  */
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
    ROWS_MPI,
    ROWS_TYPES /* of blocks of memory */
};

/* The number of keys.  */
#define ROWS_KEYS (ROWS_TYPES + 1)

/* The machine code of a copy.  */
struct rows_code {
    uint64_t bytes; /* 0: not known */
    uint64_t insns; /* 0: not known */
};

/* The first and the last character of an expression.  */
struct rows_range {
    uint32_t line, column; /* 0: not known */
    uint32_t end_line, end_column;
};

/* The part of a function's samples and calls that belongs to its branches.  */
struct rows_branched {
    uint64_t cur, bytes, blocks;
};

/* A source function with all its copies.  With another key than functions: a copy, line,
   file and so on, whose source is the function that has most of its samples.  */
struct rows_row {
    struct identity_source source;
    /* The name that the views show (names.h); NULL: the source's name.  */
    const char *shown;
    /* For lines, expressions and loops: how many further functions have code in the
       row.  */
    uint32_t more;
    uint32_t
        start; /* of lines and expressions: where their function begins; 0: unknown */
    struct rows_range range; /* of expressions */
    /* The place or description, which is always shown, with parts (text.h).  NULL: the
       position of the source is shown.  */
    const char *place;
    /* The samples in which the row was innermost.  For a function with branches the
       samples of the branches are not included.  */
    uint64_t cur;
    uint64_t stack; /* samples in which the row was anywhere on the stack */
    /* For lines, expressions and loops: the samples in the row and in what was inlined
       into it.  */
    uint64_t within;
    struct rows_code code; /* for copies */
    struct stacks_uncertainty uncertainty;
    bool counted; /* calls were counted, so the number of calls is known */
    bool branch;  /* the row is a branch, and CALLS says how often it was taken */
    bool no_cost; /* only set for branches: CUR is of more executions than CALLS */
    /* Only set for branches: nothing tells the samples of the branch (NO_CUR), the
       samples of what it calls (NO_STACK), or its bytes and blocks (NO_BYTES).  The
       numbers are 0 then.  */
    bool no_cur, no_stack, no_bytes;
    uint64_t calls;
    uint64_t bytes, blocks; /* allocated while the row was innermost */
    struct rows_branched branched;
};

/* Samples in which CALLER had called CALLEE, each counted once.  Both are numbers of
   rows.  */
struct rows_edge {
    uint32_t caller; /* STACKS_NONE: from outside the profile */
    uint32_t callee;
    uint64_t weight; /* 0: the call exists, but nothing was measured in it */
};

struct rows_edges {
    struct rows_edge *list;
    size_t count, capacity;
    bool found;
};

/* A copy of a source, as the tables have it.  */
struct rows_copy {
    uint32_t row;
    uint32_t around; /* the copy that this one is inlined in; STACKS_NONE: none */
};

struct rows {
    enum rows_key key;
    struct stacks stacks;
    /* By decreasing cur, then stack if stacks were measured, then name, file, line;
       behind all that have anything of the measure that is shown, those that have others.
     */
    struct rows_row *rows;
    uint32_t *of_source; /* by source of the stacks: its row */
    size_t source_count; /* how many sources have a row in OF_SOURCE */
    /* If the rows are no functions, by node of their stacks: its row, or STACKS_NONE.  */
    uint32_t *of_node;
    /* If the rows are loops: the row of the loop around each, or STACKS_NONE.  */
    uint32_t *around;
    /* If functions have branches, by node of their stacks: the row of the innermost
       branch, or STACKS_NONE.  NULL: there are no branches.  */
    uint32_t *branch_of_node;
    /* By row: the row of the branch around it, or STACKS_NONE.  */
    uint32_t *branch_around;
    size_t count; /* without those that have only other measures (rows_hide_others) */
    size_t whole; /* with them */
    struct amounts amounts; /* all measures of the heap, if that is shown */
    /* For rows_edges, which finds them on the first call: most tables need none.  NULL:
       there are none.  */
    struct rows_edges *edges;
    struct rows_copy *copies; /* of a catalog (catalog.h), which has no stacks */
    size_t copy_count, copy_capacity;
    /* Calls were counted, so that the result has arcs in place of edges.  */
    bool has_arcs;
    uint64_t total; /* the sum of the rows' cur */
    /* STACK of the rows counts whole call stacks, and not only inlined functions */
    bool stack;
};

/* Fills ROWS, which rows_free frees, from STACKS, which ROWS then owns.  A row in which
   nothing was measured is left out unless it has a counter.  If calls are all that was
   measured, CUR and STACK are calls, too.  FLOWS, which may be NULL, give the branches,
   each of which becomes a row; SCOPE says of which functions.  Samples in a branch belong
   to the innermost branch, and not to the function.  */
void rows_evaluate(struct rows *rows, const struct stacks *stacks,
                   const struct profile *profile, const struct program *program,
                   const struct flowcounts *flows, enum branch_scope scope);

/* Finds the values of ROWS, which may be other things than functions, where the heap is
   shown.  STACKS are those that the rows were made of.  */
void rows_find_amounts(struct rows *rows, const struct stacks *stacks,
                       const struct profile *profile);

/* Removes the rows that have nothing of the shown measure from COUNT.  Views of other
   measures still find them behind the others, up to WHOLE.  */
void rows_hide_others(struct rows *rows);

void rows_free(struct rows *rows);

/* Appends an edge without weight.  */
void rows_add_edge(struct rows_edges *edges, uint32_t caller, uint32_t callee);

/* The edges of ROWS, *COUNT of them, which live as long as ROWS.  */
const struct rows_edge *rows_edges(const struct rows *rows, size_t *count);

/* The row of a source of a unit, which may be NULL; STACKS_NONE: it has none.  */
uint32_t rows_of_unit(const struct rows *rows, const struct unit_source *source);

/* The row of any source of a unit, likewise, which becomes one of the stacks' sources. */
uint32_t rows_of_unit_source(struct rows *rows, const struct unit *unit,
                             const struct unit_source *source);

/* Sets the row of each flow: that of its function.  */
void rows_find_flows(struct flowcounts *counts, struct rows *rows);

/* The row of a node of the stacks that has a weight.  */
uint32_t rows_of_node(const struct rows *rows, uint32_t node);

/* The row of a source of the stacks; STACKS_NONE: it has none.  */
static inline uint32_t rows_of_source(const struct rows *rows, uint32_t source)
{
    return source < rows->source_count ? rows->of_source[source] : STACKS_NONE;
}

/* The row that the samples of a node belong to, if the node has samples: the row of its
   branch, or else of its function.  */
static inline uint32_t rows_of_samples(const struct rows *rows, uint32_t node)
{
    uint32_t branch = rows->branch_of_node ? rows->branch_of_node[node] : STACKS_NONE;
    return branch != STACKS_NONE ? branch : rows_of_node(rows, node);
}

/* The samples of a function, those of its branches included.  */
static inline uint64_t rows_whole(const struct rows_row *row)
{
    return row->cur + row->branched.cur;
}

/* The amount of MEASURE in a row, a function with its branches or another thing; its
   samples if these are the main measure.  With BLOCKS its blocks.  */
static inline uint64_t rows_amount(const struct rows_row *row,
                                   const struct measure *measure, bool blocks)
{
    return blocks             ? row->blocks + row->branched.blocks
           : measure->memory  ? row->bytes + row->branched.bytes
           : measure->sampled ? rows_whole(row)
                              : row->calls;
}

static inline struct rows_row rows_with_branches(const struct rows_row *row)
{
    struct rows_row whole = *row;
    whole.cur = rows_whole(row);
    whole.bytes += row->branched.bytes;
    whole.blocks += row->branched.blocks;
    return whole;
}

/* Sorts ROWS in the order of struct rows, rows of one name by place, and moves the
   elements of NUMBERS, which is by row, in the same way.  */
void rows_sort(struct rows *rows, uint32_t *numbers);

/* Compares by name, then file, then line; for qsort.  */
int rows_by_name(const struct rows_row *a, const struct rows_row *b);

/* For a walk over the stacks, called when the walk enters a thing that can be on them
   several times, and when it leaves (LEAVE).  Adds the WEIGHT of the node to *SUM unless
   the thing is on the stack already.  *ACTIVE, which starts as 0, counts how often the
   thing is on the stack.  */
void rows_count_once(uint32_t *active, uint64_t *sum, bool leave, uint64_t weight);

/* The rows are things that are executed and not called, as lines are: their calls are
   executions.  */
static inline bool rows_are_executed(const struct rows *rows)
{
    return rows->key == ROWS_LINES || rows->key == ROWS_EXPRESSIONS ||
           rows->key == ROWS_LOOPS;
}

/* 100 * AMOUNT / TOTAL, or 0 if TOTAL is 0.  */
double rows_percent(uint64_t amount, uint64_t total);

/* Sets SHOWN of each row to a name that no other row has (names_make_unique).  The texts
   live as long as ROWS.  */
void rows_make_names_unique(struct rows *rows, const struct names_style *style);

#endif
