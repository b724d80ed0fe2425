/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of regions: adds it up by name, by copy of a function with a stopwatch, or
   by path. From the sums of calls, computes the values that views show: means,
   deviations and percentiles in nanoseconds, without the cost of measuring. Called by
   report/answers.c.

   The measurement makes a call INNER longer, and each call inside it makes it OUTER
   longer. For a single call, the number of inner calls is unknown. Longer calls are
   assumed to have more inner calls, so all calls are shortened by the same factor.

   The cost of measuring depends on the code around the call. It is known with an
   uncertainty of one third. If a time is less than three times its cost of measuring,
   an upper bound of the time is shown. */

#ifndef MLPROF_REGIONROWS_H
#define MLPROF_REGIONROWS_H

#include "mlprof/groups/copies.h"
#include "mlprof/profile/regions.h"

struct regiontimes_cost {
    double tick;         /* nanoseconds */
    double inner, outer; /* in nanoseconds; 0: nothing is subtracted */
};

/* A percentile: an estimated value in its bucket, and the bounds of the bucket. */
struct regiontimes_percentile {
    double value, least, most;
};

/* In nanoseconds. All members except SPENT are 0 if no call has ended. COLD and its
   bounds are 0 if there are no cold calls. WARM is 0 if there are no warm calls. */
struct regiontimes {
    double self;
    double mean, deviation; /* of the calls */
    double error;           /* standard deviation of MEAN */
    double first, min, max;
    struct regiontimes_percentile p50, p99;
    /* Mean, minimum and maximum of cold calls. */
    double cold, cold_min, cold_max;
    double warm;      /* mean of the other calls */
    double cpu;       /* mean CPU time of a call, if known */
    double spent;     /* time so far of calls that have not ended */
    double cost;      /* mean cost that was subtracted from a call */
    double measuring; /* mean cost of measuring a call and the calls inside it */
    /* The cost of measuring in the self time of all calls. */
    double self_measuring;
};

/* Returns a measured time as text. The caller frees it. TICK is in nanoseconds.
   After the subtraction of the cost, a mean may be less than a tick; then the text
   says only that. */
char *regiontimes_text(double nanoseconds, double tick);

/* regiontimes_is_bound returns whether a time with this cost of MEASURING is shown as
   an upper bound. */
bool regiontimes_is_bound(double nanoseconds, double measuring);

/* Like regiontimes_text, but shows an upper bound as `<' and the bound. */
char *regiontimes_sure_text(double nanoseconds, double measuring, double tick);

/* Returns the duration of a call that was measured as TICKS, minus the cost of
   measuring. The result is at least 0. */
double regiontimes_without(const struct regions_sums *sums,
                           const struct regiontimes_cost *cost, double ticks);

enum regionrows_by {
    /* Regions named by the program, and functions with all their copies. */
    REGIONROWS_NAMES,
    REGIONROWS_COPIES,
    REGIONROWS_PATHS
};

/* Separates the regions of a path. */
#define REGIONROWS_INSIDE " > "

#define REGIONROWS_KEYS (REGIONROWS_PATHS + 1)

struct regionrows_row {
    char *name; /* for a path `A > B', outermost region first */
    /* `FILE: LINE' of a function, or of the innermost function of a path. NULL: there
       is no function. */
    char *position;
    char *place; /* description of a copy, with parts (text.h); NULL: not a copy */
    uint32_t
        /* The number of the innermost region in the profile, the first of several. */
        region;
    uint32_t parent; /* for a path: row of the path around it, or REGIONROWS_NONE */
    struct regions_sums sums;
    struct regiontimes times;
    /* In nanoseconds, without calls that were inside another call of the row. */
    double total;
};

#define REGIONROWS_NONE UINT32_MAX

/* All zero: there are no rows. */
struct regionrows {
    struct regionrows_row *rows; /* by descending TOTAL, also for paths */
    size_t count, capacity;
    struct regiontimes_cost cost;     /* the cost of measuring that was subtracted */
    struct regiontimes_cost measured; /* the cost of measuring, subtracted or not */
    double all;                       /* sum of SELF of all regions */
    double measuring;                 /* cost of measuring all calls, subtracted or not */
    bool subtracted;
    bool has_cpu;      /* the CPU time of all rows is known */
    bool has_inside;   /* at least one region was inside another */
    uint32_t *of_path; /* by path of the profile: its row */
};

struct regionrows_request {
    enum regionrows_by key;
    bool subtract; /* subtract the cost of measuring */
    const struct profile *profile;
    const struct program *program;
    struct rows *rows; /* rows of functions, with their names */
    const struct names_style *names;
};

/* Fills ROWS. The caller frees it with regionrows_free. */
void regionrows_fill(struct regionrows *rows, const struct regionrows_request *request);

/* Returns the duration, in nanoseconds, of a call of a path of the profile. The cost
   of measuring is subtracted as far as it is known for the row. */
double regionrows_length(const struct regionrows *rows, uint32_t path, uint64_t ticks);

void regionrows_free(struct regionrows *rows);

#endif
