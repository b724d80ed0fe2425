/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load imbalance: how evenly the samples of each row are distributed over the workers.
   Workers are the ranks or threads that run in parallel. Called by report.c; used
   by views. */

#ifndef MLPROF_SPREAD_H
#define MLPROF_SPREAD_H

#include "mlprof/rows/rows.h"

enum spread_over { SPREAD_NOTHING, SPREAD_RANKS, SPREAD_THREADS };

/* The load of one row over all workers, including workers without samples in it. */
struct spread_load {
    uint64_t total; /* samples of all workers */
    uint64_t least, most;
    uint32_t busiest; /* worker with the most samples; if several, the first */
    /* The maximum is significantly higher than the mean. If all loads are even,
       CERTAIN is set in any of the rows with a probability of less than
       STATISTICS_LEVEL. */
    bool certain;
};

struct spread_worker {
    uint64_t number; /* number of the rank or thread */
    /* For a rank: the first origin of the profile that has this rank. */
    uint32_t origin;
    bool moved;             /* the rank ran on several hosts */
    uint64_t samples, lost; /* for a rank: totals of its data files */
};

struct spread {
    enum spread_over over;
    struct spread_worker *workers; /* by number */
    size_t count, capacity;        /* number of workers */
    /* Both are indexed by row. SELF has the self samples. STACK has the total
       samples, in which the row was anywhere on the stack. */
    struct spread_load *self, *stack;
    /* Self samples. Owner: row, bin: worker; sorted. */
    struct packed loads;
    uint64_t apart;  /* samples that cannot be assigned to a worker */
    uint32_t joined; /* number of threads that were combined with an earlier thread */
};

/* Fills SPREAD for ROWS, which must be functions. The caller frees it with
   spread_free. */
void spread_find(struct spread *spread, enum spread_over over, const struct rows *rows,
                 const struct profile *profile);

void spread_free(struct spread *spread);

/* Returns the mean number of samples per worker, or 0 if there are no workers. */
double spread_mean(const struct spread *spread, const struct spread_load *load);

#endif
