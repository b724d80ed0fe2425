/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of regions: adds it up by name, by copy of a function with a stopwatch, or by
   path, and computes the figures that views show from the sums of calls: means,
   deviations and percentiles in nanoseconds, less the cost of measuring.

   Being measured makes a call INNER longer, and each call inside makes it OUTER longer.
   For a single call it is not known how many calls were inside.  Longer calls are assumed
   to have more, so that all become shorter by the same factor.

   The cost depends on the code around the call, and is only known to a third.  A time
   that is less than three times its cost of measuring is shown as a bound.  */

#ifndef MLPROF_REGIONROWS_H
#define MLPROF_REGIONROWS_H

#include "mlprof/groups/copies.h"
#include "mlprof/profile/regions.h"

struct regiontimes_cost {
    double tick;         /* nanoseconds */
    double inner, outer; /* in nanoseconds; 0: nothing is subtracted */
};

/* A percentile: a value in its bucket, and the bounds of the bucket.  */
struct regiontimes_percentile {
    double at, least, most;
};

/* In nanoseconds.  All but SPENT are 0 if no call has ended.  If there are no cold calls,
   COLD and its bounds are 0; likewise WARM.  */
struct regiontimes {
    double self;
    double mean, deviation; /* of the calls */
    double error;           /* the standard deviation of MEAN */
    double first, min, max;
    struct regiontimes_percentile p50, p99;
    /* The mean of cold calls, and their least and greatest.  */
    double cold, cold_min, cold_max;
    double warm;      /* the mean of the other calls */
    double cpu;       /* the mean CPU time of a call, if known */
    double spent;     /* the time so far of calls that have not ended */
    double cost;      /* the mean that was subtracted from a call */
    double measuring; /* the mean cost of measuring a call and the calls inside it */
    /* The cost of measuring that is in the own time of all calls.  */
    double self_measuring;
};

/* The cost in REGIONS; 0 unless SUBTRACT.  */
struct regiontimes_cost regiontimes_cost(const struct regions *regions, bool subtract);

/* The time that SHARE, 0 to 1, of all calls do not exceed.  */
struct regiontimes_percentile regiontimes_percentile(const struct regions_sums *sums,
                                                     const struct regiontimes_cost *cost,
                                                     double share);

/* A measured time as text, to be freed.  A mean may become less than a TICK, in
   nanoseconds, when the cost is subtracted; the text then says no more than that.  */
char *regiontimes_text(double nanoseconds, double tick);

/* Whether a time with so much cost of MEASURING is shown as a bound; and that bound.  */
bool regiontimes_is_bound(double nanoseconds, double measuring);

/* Like regiontimes_text, but a bound is shown as `<' and the bound.  */
char *regiontimes_sure_text(double nanoseconds, double measuring, double tick);

/* The duration of a call that was measured as TICKS, less the cost of measuring; at least
   0.  */
double regiontimes_without(const struct regions_sums *sums,
                           const struct regiontimes_cost *cost, double ticks);

enum regionrows_by {
    /* A region that the program has named, or a function with all its copies.  */
    REGIONROWS_NAMES,
    REGIONROWS_COPIES,
    REGIONROWS_PATHS
};

/* Stands between the regions of a path.  */
#define REGIONROWS_INSIDE " > "

#define REGIONROWS_KEYS (REGIONROWS_PATHS + 1)

struct regionrows_row {
    char *name; /* for a path `A > B', the outermost region first */
    /* `FILE: LINE' of a function, or of the innermost function of a path; NULL: no
       function.  */
    char *position;
    char *place; /* the description of a copy, with parts (text.h); NULL: no copy */
    uint32_t
        /* The number of the innermost region in the profile, the first of several.  */
        region;
    uint32_t parent; /* for a path: the row of the path around it, or REGIONROWS_NONE */
    struct regions_sums sums;
    struct regiontimes times;
    /* In nanoseconds, without calls that were inside another call of the row.  */
    double total;
};

#define REGIONROWS_NONE UINT32_MAX

/* All zero: there are no rows.  */
struct regionrows {
    struct regionrows_row *rows; /* by decreasing TOTAL, paths too */
    size_t count, capacity;
    struct regiontimes_cost cost;     /* the cost of measuring that was subtracted */
    struct regiontimes_cost measured; /* the cost of measuring, subtracted or not */
    double all;                       /* the sum of SELF of all regions */
    double measuring; /* the cost of measuring all calls, subtracted or not */
    bool subtracted;
    bool has_cpu;      /* the CPU time of all rows is known */
    bool has_inside;   /* at least one region was inside another */
    uint32_t *of_path; /* by path of the profile: its row */
};

struct regionrows_request {
    enum regionrows_by by;
    bool subtract; /* whether the cost of measuring is subtracted */
    const struct profile *profile;
    const struct program *program;
    struct rows *rows; /* the rows of functions, which have their names */
    const struct names_style *names;
};

/* Fills ROWS, which regionrows_free frees.  */
void regionrows_fill(struct regionrows *rows, const struct regionrows_request *request);

/* The duration of a call of a path of the profile in nanoseconds, less the cost of
   measuring as far as it is known for the row.  */
double regionrows_length(const struct regionrows *rows, uint32_t path, uint64_t ticks);

void regionrows_free(struct regionrows *rows);

#endif
