/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins a profile with the tables: adds up the samples, counts and calls of each
   source function, and names the functions. Called by report.c and groups/; views
   read the result. */

#ifndef MLPROF_ROWS_H
#define MLPROF_ROWS_H

#include "mlprof/base/buf.h"
#include "mlprof/rows/called.h"
#include "mlprof/rows/branch.h"
#include "mlprof/rows/amounts.h"
#include "mlprof/rows/keys.h"
#include "mlprof/rows/measured.h"
#include "mlprof/stacks/stacks.h"
#include "mlprof/names/names.h"

/* The machine code of a copy. */
struct rows_code {
    uint64_t bytes; /* 0: unknown */
    uint64_t insns; /* 0: unknown */
};

/* The first and last character of an expression. */
struct rows_range {
    uint32_t line, column; /* 0: unknown */
    uint32_t end_line, end_column;
};

/* A source function with all its copies. With other keys: a copy, line, file and so
   on. Its source is then the function that has most of its samples. */
struct rows_row {
    struct identity_source source;
    /* Name shown in views (names.h). NULL: the name of the source. */
    const char *shown;
    /* For lines, expressions and loops: number of additional functions with code in
       the row. */
    uint32_t more;
    uint32_t start;          /* lines, expressions: start of their function; 0: unknown */
    struct rows_range range; /* of expressions */
    /* Place or description, with parts (text.h), which is always shown. NULL: the
       position of the source is shown. */
    const char *place;
    /* For loops: what GCC did with the loop in a few words, and GCC's own messages
       (verdicts.h). NULL: unknown. */
    const char *verdict, *messages;
    /* For sites and paths: the type of the blocks, and the function that is called there.
       NULL: unknown. */
    const char *type, *called;
    /* The columns with the amounts of the row, and its number there. NULL: nothing was
       measured. */
    const struct measured *measured;
    uint32_t number;
    struct rows_code code; /* for copies */
    struct stacks_uncertainty uncertainty;
    bool counted; /* calls were counted */
    bool branch;  /* the row is a branch; its calls are how often it was taken */
    bool no_cost; /* only for branches: its samples are from more executions than its
                     calls */
};

/* Samples with a call of CALLEE by CALLER on the stack. Each sample counts once.
   CALLER and CALLEE are numbers of rows. */
struct rows_edge {
    uint32_t caller; /* STACKS_NONE: called from outside the profile */
    uint32_t callee;
    uint64_t weight; /* 0: the call exists, but nothing was measured in it */
};

struct rows_edges {
    struct rows_edge *list;
    size_t count, capacity;
    bool found;
};

/* A copy of a source in the tables. */
struct rows_copy {
    uint32_t row;
    uint32_t outer; /* the copy that it is inlined in, or STACKS_NONE */
};

struct rows {
    enum rows_key key;
    struct stacks stacks;
    /* Sorted by decreasing self amount, then total (if stacks were measured), then name,
       file and line. Rows without a value of the shown measure come last. */
    struct rows_row *rows;
    struct measured *measured; /* the amounts of ROWS */
    uint32_t *of_source;       /* by source of the stacks: its row */
    size_t source_count;       /* number of sources in OF_SOURCE */
    /* If the rows are not functions, by node of the stacks: its row, or STACKS_NONE. */
    uint32_t *of_node;
    /* If the rows are loops: the row of the loop around each, or STACKS_NONE. */
    uint32_t *outer;
    /* If functions have branches, by node of the stacks: the row of the innermost
       branch, or STACKS_NONE. NULL: there are no branches. */
    uint32_t *branch_of_node;
    /* By row: the row of the branch around it, or STACKS_NONE. */
    uint32_t *branch_around;
    size_t count; /* without rows that have only other measures (rows_hide_others) */
    size_t whole; /* with them */
    /* The cache of rows_edges. The edges are computed at its first call, because most
       tables need no edges. NULL: there are no edges. */
    struct rows_edges *edges;
    /* Of a catalog (report.h), which has no stacks. */
    BUF_VECTOR(struct rows_copy) copies;
    struct rows_called called; /* empty: no inclusive instructions */
    /* Calls were counted, so the result has arcs instead of edges. */
    bool has_arcs;
    uint64_t total; /* sum of the self amounts of all rows */
    /* Totals are based on whole call stacks, not only on inlined functions. */
    bool stack;
};

/* Fills ROWS from STACKS. ROWS then owns STACKS, with allocation sites if the profile is
   of the heap. The caller frees ROWS with rows_free. A row without measured values is
   left out unless it has a counter. If only calls were measured, they are the shown
   measure. FLOWS, which may be NULL, contains the branches. Each branch of the functions
   selected by OWNERS becomes a row. Samples in a branch belong to the innermost branch,
   not to the function. */
void rows_evaluate(struct rows *rows, const struct stacks *stacks,
                   const struct profile *profile, const struct program *program,
                   const struct flowcounts *flows, enum branch_owners owners);

/* If the heap is shown, computes the heap amounts of ROWS, which need not be functions;
   if instructions are shown, their amounts of other measures of instructions. STACKS
   must be the stacks that the rows were made from. */
void rows_find_amounts(struct rows *rows, const struct stacks *stacks,
                       const struct profile *profile);

/* Subtracts from COUNT the number of rows that have no value of the shown measure.
   Views of other measures find these rows after the other rows; WHOLE is the number of
   all rows. */
void rows_hide_others(struct rows *rows);

void rows_free(struct rows *rows);

/* Appends an edge without weight. */
void rows_add_edge(struct rows_edges *edges, uint32_t caller, uint32_t callee);

/* Returns the edges of ROWS, and sets *COUNT to their number. The edges live as long
   as ROWS. */
const struct rows_edge *rows_edges(const struct rows *rows, size_t *count);

/* Returns the row of a source of a unit, or STACKS_NONE if it has none. SOURCE may be
   NULL. */
uint32_t rows_of_unit(const struct rows *rows, const struct unit_source *source);

/* Like rows_of_unit, but works for all sources of a unit. The source is added to the
   sources of the stacks if needed. */
uint32_t rows_of_unit_source(struct rows *rows, const struct unit *unit,
                             const struct unit_source *source);

/* Sets the row of each flow graph to the row of its function. */
void rows_find_flows(struct flowcounts *counts, struct rows *rows);

/* Returns the row of a node of the stacks. The node must have a weight. */
uint32_t rows_of_node(const struct rows *rows, uint32_t node);

/* Returns the row of a source of the stacks, or STACKS_NONE if it has none. */
static inline uint32_t rows_of_source(const struct rows *rows, uint32_t source)
{
    return source < rows->source_count ? rows->of_source[source] : STACKS_NONE;
}

/* Returns the row to which the samples of a node belong. This is the row of the
   node's branch, or the row of its function if there is no branch. The node must have
   samples. */
static inline uint32_t rows_of_samples(const struct rows *rows, uint32_t node)
{
    uint32_t branch = rows->branch_of_node ? rows->branch_of_node[node] : STACKS_NONE;
    return branch != STACKS_NONE ? branch : rows_of_node(rows, node);
}

/* Returns an amount of a row in the unit of MEASURE. */
static inline struct measured_value rows_value(const struct rows_row *row,
                                               const struct measure *measure,
                                               enum measured_part part)
{
    return measured_get(row->measured, row->number, measure, part, false);
}

/* Returns a part of the shown measure. */
static inline struct measured_value rows_shown(const struct rows_row *row,
                                               enum measured_part part)
{
    const struct measured *measured = row->measured;
    return rows_value(row, measured ? measured->shown : NULL, part);
}

/* Return parts of the shown measure, or 0 if they are not known. */
static inline uint64_t rows_self(const struct rows_row *row)
{
    return rows_shown(row, MEASURED_SELF).amount;
}

static inline uint64_t rows_total(const struct rows_row *row)
{
    return rows_shown(row, MEASURED_TOTAL).amount;
}

static inline uint64_t rows_within(const struct rows_row *row)
{
    return rows_shown(row, MEASURED_WITHIN).amount;
}

/* Returns the self amount of a function including its branches. */
static inline uint64_t rows_whole(const struct rows_row *row)
{
    return rows_self(row) + rows_shown(row, MEASURED_BRANCHES).amount;
}

/* Returns the calls of a row: its executions if its key is executed (keys.h). 0 if they
   were not counted. */
uint64_t rows_calls(const struct rows_row *row);

/* Returns the bytes or blocks that a row allocated while it was the innermost; not known
   if the profile has no allocations. */
struct measured_value rows_memory(const struct rows_row *row, bool blocks);

/* Returns the self amount of MEASURE in a row, including branches; with BLOCKS, the
   number of its blocks. 0 if it is not known. */
static inline uint64_t rows_amount(const struct rows_row *row,
                                   const struct measure *measure, bool blocks)
{
    return measured_whole(row->measured, row->number, measure, MEASURED_SELF, blocks);
}

/* Sorts ROWS in the order of struct rows; rows with the same name are sorted by place.
   Moves the elements of NUMBERS, which is indexed by row, in the same way. */
void rows_sort(struct rows *rows, uint32_t *numbers);

/* Compares by name, then file, then line; for qsort. */
int rows_by_name(const struct rows_row *a, const struct rows_row *b);

/* Adds up totals during a walk over the stacks. Call it when the walk enters an
   object that can be on a stack several times, and when the walk leaves it (LEAVE).
   Adds the WEIGHT of the node to *SUM unless the object is already on the stack.
   *ACTIVE counts how often the object is on the stack; it must start as 0. */
void rows_count_once(uint32_t *active, uint64_t *sum, bool leave, uint64_t weight);

/* Returns 100 * AMOUNT / TOTAL, or 0 if TOTAL is 0. */
double rows_percent(uint64_t amount, uint64_t total);

/* Sets SHOWN of each row to a name that no other row has (see names_make_unique). The
   texts live as long as ROWS. */
void rows_make_names_unique(struct rows *rows, const struct names_style *style);

#endif
