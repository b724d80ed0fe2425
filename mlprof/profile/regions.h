/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the real time of regions, of one or more runs, as mlmon.out(5) has it: times are
   ticks of a clock, and the cost of measuring is not subtracted.  A struct profile holds
   one.  */

#ifndef MLPROF_REGIONS_H
#define MLPROF_REGIONS_H

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

/* The module of a region that the program has named.  */
#define REGIONS_NAMED UINT32_MAX

struct regions_region {
    uint32_t name; /* number in the names */
    /* REGIONS_NAMED, or the module in which the function's watch is started.  */
    uint32_t module;
    uint64_t address; /* where the watch is started, as in the module's file */
};

/* Less than 2^128.  */
__extension__ typedef unsigned __int128 regions_wide;

/* The measures of the calls of one path; all zero if there are no calls.  All are sums
   but FIRST, MIN and MAX.  */
struct regions_sums {
    uint64_t count;  /* calls that have ended */
    uint64_t total;  /* ticks that these calls took */
    uint64_t nested; /* the part of TOTAL in calls inside a call of the same path */
    uint64_t self;   /* the part of TOTAL in no call inside */
    regions_wide squares;
    /* Calls that ended inside these calls: directly inside, and at any depth.  */
    uint64_t direct, inside;
    uint64_t first, min, max;
    uint64_t cpu; /* nanoseconds */
    uint64_t left;
    uint64_t open, spent; /* calls that have not ended, and the ticks they took so far */
    uint64_t cold, cold_total, cold_min, cold_max;
    bool has_cpu;
    uint64_t buckets[CCPROF_BUCKETS];
};

struct regions_path {
    uint32_t parent; /* the path around it, or REGIONS_NO_PATH */
    uint32_t region;
    struct regions_sums sums;
};

/* One call.  */
struct regions_event {
    uint64_t thread; /* number in the data file; 0: the thread is not known */
    uint32_t path;
    /* In ticks; START counts from when measuring began in the process.  */
    uint64_t start, length;
};

/* Starts as all zero.  */
struct regions {
    enum regions_clock clock;
    uint64_t hz; /* ticks per second */
    /* In thousandths of a tick: the time that an empty region measures for itself, and
       the time that it adds to the regions around it.  */
    uint64_t inner, outer;
    /* Calls that were put into paths of their region alone, for want of room.  */
    uint64_t unplaced;
    struct intern names;
    struct regions_region *regions;
    size_t region_count, region_capacity;
    struct index region_index;  /* key: name, module, address */
    struct regions_path *paths; /* a parent stands before its children */
    size_t path_count, path_capacity;
    struct index path_index; /* key: parent, region */
    bool has_events;
    uint64_t event_least;         /* shorter calls, in ticks, are no events */
    struct regions_event *events; /* of one run, or empty */
    size_t event_count, event_capacity;
};

void regions_free(struct regions *regions);

/* The number of a region, or of a path, which is added if it is missing; *FRESH tells
   whether it was.  */
uint32_t regions_put(struct regions *regions, const char *name, uint32_t module,
                     uint64_t address, bool *fresh);
uint32_t regions_put_path(struct regions *regions, uint32_t parent, uint32_t region,
                          bool *fresh);

void regions_add_event(struct regions *regions, const struct regions_event *event);

/* The least time in a bucket, and the least time that is too long for it; 0: the bucket
   has no end.  */
uint64_t regions_bucket_least(size_t bucket);
uint64_t regions_bucket_end(size_t bucket);

/* The bucket of a time.  */
size_t regions_bucket(uint64_t ticks);

/* Adds FROM to INTO, whose first call stays the first.  Returns false if a sum is too
   large; INTO is useless then.  */
bool regions_sums_add(struct regions_sums *into, const struct regions_sums *from);

/* Whether FROM can be added to INTO: no sum over all paths becomes too large.  */
bool regions_fit(const struct regions *into, const struct regions *from);

/* Adds FROM, which regions_fit has accepted.  Times of FROM are converted to the ticks of
   INTO, unless both clocks are of one kind and their speeds differ by less than one in
   1000: the speed is measured anew in each run.  MAP gives, by module of FROM, the number
   in INTO.  Events are left out.  */
void regions_merge(struct regions *into, const struct regions *from, const uint32_t *map);

#endif
