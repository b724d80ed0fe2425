/* SPDX-License-Identifier: MIT */
/* Writes a data file, mlmon.out(5). Only write.c calls this. The caller owns the
   struct and everything that it points to. */

#ifndef CCPROF_MLMON_H
#define CCPROF_MLMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/os/file.h"
#include "rt/samples/modules.h"
#include "rt/samples/samples.h"
#include "rt/samples/times.h"

struct ccprof_mlmon {
    /* Bits of enum ccprof_kind. Without CCPROF_KIND_TIME, no line about samples is
       written. */
    unsigned kinds;
    const char *command; /* quoted for a shell; null or empty: not written */
    const char *host;    /* null or empty: not written */
    const char *rank;    /* decimal; null or empty: no rank */
    const char *ranks;   /* number of ranks, decimal; null or empty: unknown */
    const char *process; /* the process's name; null or empty: not written */
    const char *title;   /* null or empty: not written; never without PROCESS */
    const char *engine;
    const char *clock; /* "cpu" or "wall" */
    unsigned rate;
    bool stack;   /* samples are call stacks */
    uint64_t cpu; /* nanoseconds */
    uint64_t wall;
    uint64_t threads;
    uint64_t waits;
    uint64_t interrupted;      /* system calls that the sampler's signals interrupted */
    uint64_t late;             /* samples that were taken late */
    uint64_t heaviest, excess; /* of samples that count several times (samples.h) */
    /* System calls that are forbidden, so that samples are missing: a bit for each
       (sampler.h). */
    unsigned refused;
    size_t messages;    /* number of bytes of ccprof_say_kept to write */
    uint64_t uncounted; /* number of threads with possibly missing counts */
    bool is_dataset;    /* write only samples of DATASET (tags.h) */
    uint64_t dataset;
    bool slice;       /* a slice: data since the previous file, while the run continues */
    uint64_t samples; /* samples taken in the slice */
    bool is_own;      /* the run's own file (datafile.h) */
    bool regions;     /* the program has begun regions */
    bool heap;        /* the heap is measured */
    bool has_waits;   /* waits are measured (rt/wait/wait.h) */
    const struct ccprof_heap_slice *heap_slice; /* null: the run has no slices (heap.h) */
    bool ended;                                 /* the program and its run end */
    bool guesses;                               /* the file may have guessed callers */
    bool has_first_targets; /* call sites have first targets; unused for a data set */
    uint64_t moved;         /* samples in files of data sets; unused for a data set */
    /* An answer to a request: mlmon.out(5), version 14. */
    bool is_answer;
    uint64_t epoch, files;
    bool open;                        /* the gate is open */
    struct ccprof_times_axis times;   /* state when the tables were frozen */
    struct ccprof_samples *table;     /* frozen */
    struct ccprof_overflow *overflow; /* frozen */
    const struct ccprof_modules *modules;
};

/* Writes the profile to the file PATH: through a temporary file in the same folder, or
   directly if PATH is a pipe (datafile.h). BUFFER has SIZE bytes, which are used
   during the call; for the run's own file SIZE must be at least
   CCPROF_DATAFILE_BUFFER. Returns 0, or an errno value. On errors the file PATH is
   unchanged, and *WRONG is the name of the file that has the error.
   Async-signal-safe, except for signals that writing raises. Only one thread may call
   this at a time. */
int ccprof_mlmon_write(const struct ccprof_mlmon *mlmon, const char *path, char *buffer,
                       size_t size, const char **wrong);

/* Does the same with an open file, which stays open. */
int ccprof_mlmon_write_open(const struct ccprof_mlmon *mlmon,
                            const struct ccprof_file *file, char *buffer, size_t size);

#endif
