/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the real time of regions, of one or more runs, as mlmon.out(5) tells it: times
   are ticks of a clock, and what measuring cost is not subtracted.  For profile.c, which
   holds one, and for those that read it.  */

#ifndef MLPROF_REGIONS_H
#define MLPROF_REGIONS_H

#include "mlprof/base/index.h"
#include "mlprof/base/intern.h"
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
    uint32_t name;    /* of the names */
    uint32_t module;  /* REGIONS_NAMED, or where the function's watch is started */
    uint64_t address; /* there, as in the module's file */
};

/* Less than 2^128.  */
__extension__ typedef unsigned __int128 regions_wide;

/* What was measured of calls; all zero of none.  Sums, but for first, min and max.  */
struct regions_sums {
    uint64_t count;  /* calls that have ended */
    uint64_t total;  /* what they took */
    uint64_t nested; /* of it, in calls inside a call of the same path */
    uint64_t self;   /* of it, in no other call */
    regions_wide squares;
    uint64_t direct, inside; /* calls that have ended in them: directly, altogether */
    uint64_t first, min, max;
    uint64_t cpu; /* nanoseconds */
    uint64_t left;
    uint64_t open, spent; /* calls that have not ended, and what they took so far */
    uint64_t cold, cold_total, cold_min, cold_max;
    bool has_cpu;
    uint64_t buckets[CCPROF_BUCKETS];
};

struct regions_path {
    uint32_t parent; /* REGIONS_NO_PATH: none is around it */
    uint32_t region;
    struct regions_sums sums;
};

/* A call as it was.  */
struct regions_event {
    uint64_t thread; /* its number in the data file; 0: of no known thread */
    uint32_t path;
    uint64_t start, length; /* ticks; from where the process began to be measured */
};

/* Starts as all zero.  */
struct regions {
    enum regions_clock clock;
    uint64_t hz;           /* ticks in a second */
    uint64_t inner, outer; /* thousandths of a tick: what an empty region is measured as,
                              and what those around it see of it */
    uint64_t unplaced;     /* calls in paths of their region alone, for want of room */
    struct intern names;
    struct regions_region *regions;
    size_t region_count, region_capacity;
    struct index region_index;  /* name, module, address */
    struct regions_path *paths; /* a parent stands before its children */
    size_t path_count, path_capacity;
    struct index path_index; /* parent, region */
    bool has_events;
    uint64_t event_least;         /* ticks that calls which are events took at least */
    struct regions_event *events; /* of one run, or there are none */
    size_t event_count, event_capacity;
};

void regions_free(struct regions *regions);

/* The number of a region, or of a path, which is a new one if *FRESH.  */
uint32_t regions_put(struct regions *regions, const char *name, uint32_t module,
                     uint64_t address, bool *fresh);
uint32_t regions_put_path(struct regions *regions, uint32_t parent, uint32_t region,
                          bool *fresh);

void regions_add_event(struct regions *regions, const struct regions_event *event);

/* The least time that a call in a bucket took, and the least that is too long for it; 0:
   all longer ones are in it.  */
uint64_t regions_bucket_least(size_t bucket);
uint64_t regions_bucket_end(size_t bucket);

/* The bucket of a time.  */
size_t regions_bucket(uint64_t ticks);

/* Adds FROM to INTO, whose first call stays the first.  False if a sum is too large; INTO
   is nothing to go by then.  */
bool regions_sums_add(struct regions_sums *into, const struct regions_sums *from);

/* Whether FROM can be added to INTO: no sum over all paths is too large.  */
bool regions_fit(const struct regions *into, const struct regions *from);

/* Adds FROM, which fits; its ticks become those of INTO, unless both clocks are of one
   kind and have one speed: that is measured anew in each run, and differs by less than
   one in 1000 then.  MAP has the number in INTO of each of FROM's modules.  Events are
   left out.  */
void regions_merge(struct regions *into, const struct regions *from, const uint32_t *map);

#endif
