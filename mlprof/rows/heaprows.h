/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the heap by source function, for view/heapview.c: what each function has
   allocated as the innermost profiled one, and what it and all that it called have.  */

#ifndef MLPROF_HEAPROWS_H
#define MLPROF_HEAPROWS_H

#include "mlprof/rows/rows.h"
#include "mlprof/stacks/wrappers.h"

/* How far the estimates of a measure are from the truth, of blocks and of bytes.  */
struct heaprows_doubt {
    struct statistics_doubt of[2];
};

/* The amounts of a row, by measure.  */
struct heaprows_amounts {
    struct heapdata_amount own[HEAPDATA_MEASURES];
    struct heapdata_amount stack[HEAPDATA_MEASURES];
    /* All zero where each block was counted.  */
    struct heaprows_doubt own_doubt[HEAPDATA_MEASURES];
    struct heaprows_doubt stack_doubt[HEAPDATA_MEASURES];
};

/* The sizes of the blocks that were sampled, ascending, each once.  */
struct heaprows_sizes {
    uint64_t *sizes;
    size_t count;
};

/* Rows of the heap by another key than functions (groups/grouping.h), and
   what they have; empty: not wanted.  */
struct heaprows_group {
    struct rows rows;
    struct heaprows_amounts *amounts; /* by row */
};

/* All zero if no heap was measured.  */
struct heaprows {
    struct rows rows; /* with no numbers of their own but the order of names */
    struct heaprows_amounts *amounts; /* by row */
    struct heaprows_group group;      /* by the key that was wanted */
    /* The heap as a profile of samples, whose shares are the measures; the modules are
       those of the profile that it was made of.  */
    struct profile points;
    uint64_t sample; /* as in struct heapdata */
    struct heaprows_sizes sizes;
};

/* Fills ROWS, which heaprows_free frees, from what FILTER leaves of the heap of PROFILE.
   Its patterns have been found in the heap already.  Wrappers are taken out as WRAPPERS
   says.  OUTSIDE, which may be NULL, names what was not compiled with ccprof.  */
void heaprows_fill(struct heaprows *rows, const struct profile *profile,
                   const struct program *program, struct outside *outside,
                   const struct stacks_filter *filter,
                   const struct wrappers_wishes *wrappers,
                   const struct names_style *names);

/* Finds the amounts of a group, whose rows are made of the rows and points of HEAP, which
   may have the group.  */
void heaprows_group(struct heaprows_group *group, const struct heaprows *heap);

/* Gives the rows of a group of types what they have of MEASURE, of TOTAL bytes, and sorts
   them by that.  What nodes are in them is not known any more.  */
void heaprows_group_show(struct heaprows_group *group, enum heapdata_measure measure,
                         uint64_t total);

void heaprows_group_free(struct heaprows_group *group);

/* By node of the stacks of ROWS: what the node has itself, and with those below it; to be
   freed.  */
struct heaprows_amounts *heaprows_by_node(const struct heaprows *rows);

/* The interval of an amount of MEASURE, blocks or bytes (heapdata_interval).  */
struct statistics_interval heaprows_interval(const struct heapdata_amount *amounts,
                                             const struct heaprows_doubt *doubts,
                                             uint64_t sample,
                                             enum heapdata_measure measure, bool bytes);

/* Adds the amounts of a row to those of others.  */
void heaprows_add(struct heaprows_amounts *sums, const struct heaprows_amounts *amounts);

/* Makes what is with others what the amounts are alone.  */
void heaprows_stand_alone(struct heaprows_amounts *amounts);

/* Whether the rows by another key than functions are what is shown.  */
static inline bool heaprows_is_grouped(const struct heaprows *rows)
{
    return rows->group.rows.key != ROWS_FUNCTIONS;
}

void heaprows_free(struct heaprows *rows);

#endif
