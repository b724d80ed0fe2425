/* SPDX-License-Identifier: MIT */
/* Writes a data file, mlmon.out(5), for write.c.  */

#ifndef CCPROF_MLMON_H
#define CCPROF_MLMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/samples/modules.h"
#include "rt/samples/table.h"
#include "rt/samples/times.h"

struct ccprof_mlmon {
    /* Bits of enum ccprof_kind; without CCPROF_KIND_TIME no line about samples is
       written.  */
    unsigned kinds;
    const char *command; /* for a shell to read; null or empty: not written */
    const char *host;    /* null or empty: not written */
    const char *rank;    /* decimal; null or empty: there is no rank */
    const char *ranks;   /* number of ranks, decimal; null or empty: not known */
    const char *engine;
    const char *clock; /* cpu or wall */
    unsigned rate;
    bool stack;   /* samples are whole stacks */
    uint64_t cpu; /* nanoseconds */
    uint64_t wall;
    uint64_t threads;
    uint64_t waits;
    uint64_t interrupted; /* system calls interrupted by signals of the sampler */
    /* Forbidden system calls, so that samples are missing (sampler.h).  */
    unsigned refused;
    uint64_t uncounted; /* threads whose counts may be missing */
    bool is_dataset;    /* write only the samples of DATASET (scope.h) */
    uint64_t dataset;
    bool slice;       /* write what no file before has, while the run goes on */
    uint64_t samples; /* of a slice: samples taken */
    bool own;         /* the file is the run's own (datafile.h) */
    bool regions;     /* regions have begun */
    bool heap;        /* blocks of memory were counted */
    const struct ccprof_heap_slice *heap_slice; /* null: it has no slices (heap.h) */
    bool ended;     /* the program ends, and its run with it */
    bool rests;     /* sites have first targets; not used for a data set */
    uint64_t moved; /* samples in files of data sets; not used for a data set */
    struct ccprof_times_axis times;   /* as it was when all was frozen */
    struct ccprof_table *table;       /* frozen */
    struct ccprof_overflow *overflow; /* frozen */
    const struct ccprof_modules *modules;
};

/* Writes the profile to the file PATH, through a temporary file beside it; if PATH is a
   pipe, directly (datafile.h).  BUFFER has SIZE bytes, which are used during the call;
   if the file is the run's own, SIZE must be CCPROF_DATAFILE_BUFFER or more.  Returns 0;
   or an errno value, with PATH as before and the file that has the error in *WRONG.
   Async-signal-safe, except for signals that writing raises; one thread at a time.  */
int ccprof_mlmon_write(const struct ccprof_mlmon *mlmon, const char *path, char *buffer,
                       size_t size, const char **wrong);

#endif
