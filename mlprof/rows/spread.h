/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load imbalance: how evenly each row's samples are distributed over the workers, the
   ranks or threads that run in parallel.  For the views.  */

#ifndef MLPROF_SPREAD_H
#define MLPROF_SPREAD_H

#include "mlprof/rows/rows.h"

enum spread_over { SPREAD_NOTHING, SPREAD_RANKS, SPREAD_THREADS };

/* The load of one row, over all workers, those without a sample in it included.  */
struct spread_load {
    uint64_t total; /* samples of all workers */
    uint64_t least, most;
    uint32_t at; /* the worker with the most samples, the first of several */
    /* The most is certainly more than the mean.  If all loads are even, chance makes some
       row certain in less than STATISTICS_LEVEL of all runs.  */
    bool certain;
};

struct spread_worker {
    uint64_t number; /* of the rank or thread */
    /* For a rank: the first origin of the profile that has this rank.  */
    uint32_t origin;
    bool moved;             /* the rank ran on several hosts */
    uint64_t samples, lost; /* for a rank: the totals in its data files */
};

struct spread {
    enum spread_over over;
    struct spread_worker *workers; /* by number */
    size_t count;                  /* number of workers */
    /* By row: OWN for samples in which it was innermost, STACK for samples in which it
       was anywhere on the stack.  */
    struct spread_load *own, *stack;
    /* Owner: row, bin: worker; sorted: the samples in which the row was innermost.  */
    struct packed loads;
    uint64_t apart;  /* samples that belong to no worker */
    uint32_t joined; /* threads that are no workers, since they ran after another */
};

/* Fills SPREAD, which spread_free frees, for ROWS that are functions.  */
void spread_find(struct spread *spread, enum spread_over over, const struct rows *rows,
                 const struct profile *profile);

void spread_free(struct spread *spread);

/* The mean number of samples of a worker, or 0 if there are no workers.  */
double spread_mean(const struct spread *spread, const struct spread_load *load);

#endif
