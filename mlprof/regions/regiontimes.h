/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the figures that views show from the sums of calls: means, deviations,
   percentiles, in nanoseconds, less the cost of measuring.  Pure functions.

   Being measured makes a call INNER longer, and each call inside makes it OUTER longer.
   For a single call it is not known how many calls were inside.  Longer calls are assumed
   to have more, so that all become shorter by the same factor.

   The cost depends on the code around the call, and is only known to a third.  A time
   that is less than three times its cost of measuring is shown as a bound.  */

#ifndef MLPROF_REGIONTIMES_H
#define MLPROF_REGIONTIMES_H

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

struct regiontimes regiontimes_of(const struct regions_sums *sums,
                                  const struct regiontimes_cost *cost);

/* The time that the calls took without calls inside.  */
double regiontimes_self(const struct regions_sums *sums,
                        const struct regiontimes_cost *cost);

/* The time that SHARE, 0 to 1, of all calls do not exceed.  */
struct regiontimes_percentile regiontimes_percentile(const struct regions_sums *sums,
                                                     const struct regiontimes_cost *cost,
                                                     double share);

/* A measured time as text, to be freed.  A mean may become less than a TICK, in
   nanoseconds, when the cost is subtracted; the text then says no more than that.  */
char *regiontimes_text(double nanoseconds, double tick);

/* Whether a time with so much cost of MEASURING is shown as a bound; and that bound.  */
bool regiontimes_is_bound(double nanoseconds, double measuring);
double regiontimes_bound(double nanoseconds, double measuring);

/* Like regiontimes_text, but a bound is shown as `<' and the bound.  */
char *regiontimes_sure_text(double nanoseconds, double measuring, double tick);

/* The duration of a call that was measured as TICKS, less the cost of measuring; at least
   0.  */
double regiontimes_without(const struct regions_sums *sums,
                           const struct regiontimes_cost *cost, double ticks);

#endif
