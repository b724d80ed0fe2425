/* SPDX-License-Identifier: MIT */
/* Writes mlmon.out(5).  */

#ifndef CCPROF_MLMON_H
#define CCPROF_MLMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/table/modules.h"
#include "rt/table/table.h"
#include "rt/table/times.h"

struct ccprof_mlmon {
    unsigned kinds; /* enum ccprof_kind; without CCPROF_KIND_TIME what speaks of samples
                       is not there */
    const char *command; /* as a shell reads it; null or empty: it is not told */
    const char *host;    /* null or empty: it is not told */
    const char *rank;    /* in decimal; likewise: there is none */
    const char *ranks;   /* how many there are; likewise: it is not known */
    const char *engine;
    const char *clock; /* cpu or wall */
    unsigned rate;
    bool stack;   /* samples are whole stacks */
    uint64_t cpu; /* nanoseconds */
    uint64_t wall;
    uint64_t threads;
    uint64_t waits;
    uint64_t interrupted; /* system calls, by signals of the sampler's */
    unsigned refused;     /* system calls without which samples are missing (refused.h) */
    uint64_t uncounted;   /* threads whose counts may be missing */
    bool is_dataset;      /* of the run: only the samples of DATASET (scope.h) */
    uint64_t dataset;
    bool slice;       /* what is not in files before it, and the run goes on */
    uint64_t samples; /* of a slice: that were taken */
    bool own;         /* the file is the run's own (claim.h) */
    bool regions;     /* some were begun */
    uint64_t moved;   /* samples in files of data sets; not for a data set */
    struct ccprof_times_axis times;   /* made when all was frozen */
    struct ccprof_table *table;       /* frozen */
    struct ccprof_overflow *overflow; /* frozen */
    const struct ccprof_modules *modules;
};

/* Writes the profile to the file PATH, by way of a temporary file beside it; if
   PATH is a pipe, straight into it (destination.h).  BUFFER is for the time of the
   call; where the file is the run's own, SIZE is at least CCPROF_CLAIM_BUFFER.  Returns 0
   or an errno value; then PATH is as it was, and *WRONG is the file whose error it is.
   Async-signal-safe, but for signals that writing causes; one thread at a time.  */
int ccprof_mlmon_write(const struct ccprof_mlmon *mlmon, const char *path, char *buffer,
                       size_t size, const char **wrong);

#endif
