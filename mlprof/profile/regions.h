/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the real time of regions of one or more runs, as in mlmon.out(5). Times are
   ticks of a clock and include the cost of measuring. A struct profile has one struct
   regions. */

#ifndef MLPROF_REGIONS_H
#define MLPROF_REGIONS_H

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "rt/format.h"

#include <stdbool.h>

enum regions_clock {
    REGIONS_NONE, /* no region was entered */
    REGIONS_TSC,
    REGIONS_CNTVCT,
    REGIONS_RDTIME,
    REGIONS_MONOTONIC
};

#define REGIONS_NO_PATH UINT32_MAX

/* The module of a region that the program has named. */
#define REGIONS_NAMED UINT32_MAX

struct regions_region {
    uint32_t name; /* number in NAMES */
    /* REGIONS_NAMED, or the module of the function that has the stopwatch. */
    uint32_t module;
    uint64_t address; /* where the stopwatch is started, in the module's file */
};

/* A sum of squares of ticks, less than 2^128. */
__extension__ typedef unsigned __int128 regions_wide;

/* The values of the calls of one path (mlmon.out(5)). All zero if there are no calls.
   All values are sums, except FIRST, MIN, MAX, COLD_MIN and COLD_MAX. */
struct regions_sums {
    uint64_t count; /* calls that have ended */
    uint64_t total; /* ticks of these calls */
    uint64_t
        nested;    /* ticks of TOTAL in calls that were inside a call of the same path */
    uint64_t self; /* ticks of TOTAL outside of inner calls */
    regions_wide squares;
    /* Number of calls that ended within these calls: directly within them, and at any
       depth. */
    uint64_t direct, inside;
    uint64_t first, min, max;
    uint64_t cpu;         /* nanoseconds */
    uint64_t left;        /* calls left by longjmp or by the end of the thread */
    uint64_t open, spent; /* calls that have not ended, and their ticks so far */
    /* Calls that were the first of their thread or followed a pause: number, total, min,
     * max. */
    uint64_t cold, cold_total, cold_min, cold_max;
    bool has_cpu;
    uint64_t buckets[CCPROF_BUCKETS];
};

struct regions_path {
    uint32_t parent; /* the enclosing path, or REGIONS_NO_PATH */
    uint32_t region;
    struct regions_sums sums;
};

/* One call. */
struct regions_event {
    uint64_t thread; /* number in the data file; 0: unknown */
    uint32_t path;
    /* In ticks. START counts from the start of measuring in the process. */
    uint64_t start, length;
};

/* Starts as all zero. */
struct regions {
    enum regions_clock clock;
    uint64_t hz; /* ticks per second */
    /* The cost of measuring in thousandths of a tick: the time that an empty region
       measures for itself, and the time that it adds to enclosing regions. */
    uint64_t inner, outer;
    /* Calls that were counted in a path that has only their region, because there was
       no room for their own path. */
    uint64_t unplaced;
    struct intern names;
    BUF_VECTOR(struct regions_region) regions;
    struct index region_index;             /* key: name, module, address */
    BUF_VECTOR(struct regions_path) paths; /* parents come before their children */
    struct index path_index;               /* key: parent, region */
    bool has_events;
    uint64_t event_least; /* minimum ticks of a call that is an event */
    BUF_VECTOR(struct regions_event) events; /* of a single run; empty if merged */
};

void regions_free(struct regions *regions);

/* Return the number of a region or of a path. If it is missing, add it and set *FRESH. */
uint32_t regions_put(struct regions *regions, const char *name, uint32_t module,
                     uint64_t address, bool *fresh);
uint32_t regions_put_path(struct regions *regions, uint32_t parent, uint32_t region,
                          bool *fresh);

/* The first function returns the minimum time of a bucket. The second function returns
   the minimum time that is too long for the bucket, or 0 if there is no limit. */
uint64_t regions_bucket_least(size_t bucket);
uint64_t regions_bucket_end(size_t bucket);

/* Returns the bucket that contains a time. */
size_t regions_bucket(uint64_t ticks);

/* Adds FROM to INTO. The first call of INTO stays the first. If a sum becomes too
   large, returns false, and INTO is invalid. */
bool regions_sums_add(struct regions_sums *into, const struct regions_sums *from);

/* Returns whether FROM can be added to INTO: no sum over all paths becomes too large. */
bool regions_fit(const struct regions *into, const struct regions *from);

/* Adds FROM to INTO; regions_fit must have returned true. Times of FROM are converted
   to ticks of INTO. If both clocks are of the same kind and their speeds differ by
   less than 0.1 %, times are not converted, because each run measures the speed again.
   MAP has, for each module of FROM, its number in INTO. Events are dropped. */
void regions_merge(struct regions *into, const struct regions *from, const uint32_t *map);

#endif
