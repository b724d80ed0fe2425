/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds how evenly each row's samples are spread over workers, the ranks or threads that
   work side by side: the imbalance of its load, for the views.  */

#ifndef MLPROF_SPREAD_H
#define MLPROF_SPREAD_H

#include "mlprof/rows/rows.h"

enum spread_over { SPREAD_NOTHING, SPREAD_RANKS, SPREAD_THREADS };

/* Of one row, over all workers, those with no sample of it included.  */
struct spread_load {
    uint64_t total; /* samples of all workers */
    uint64_t least, most;
    uint32_t at;  /* the worker with the most, the first of several */
    bool certain; /* that the most is more than the mean: where all loads are even, chance
                     makes any of all rows certain in less than STATISTICS_LEVEL of all
                     runs */
};

struct spread_worker {
    uint64_t number;        /* the rank's, or the thread's */
    uint32_t origin;        /* of a rank: the first origin of the profile that has it */
    bool moved;             /* the rank ran on several hosts */
    uint64_t samples, lost; /* of a rank: those that its files tell of */
};

struct spread {
    enum spread_over over;
    struct spread_worker *workers;   /* by number */
    size_t count;                    /* of them */
    struct spread_load *own, *stack; /* by row: while it was the innermost, and while it
                                        was anywhere on the stack */
    struct packed loads; /* of the rows by themselves, sorted: those of each worker */
    uint64_t apart;      /* samples that are of no worker */
};

/* Fills SPREAD, which spread_free frees, for the rows of functions.  */
void spread_find(struct spread *spread, enum spread_over over, const struct rows *rows,
                 const struct profile *profile);

void spread_free(struct spread *spread);

/* Samples of a worker on average; 0 if there are no workers.  */
double spread_mean(const struct spread *spread, const struct spread_load *load);

#endif
