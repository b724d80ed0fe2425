/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes of the sums of calls what views tell of them: means, deviations, percentiles, in
   nanoseconds, with what it cost to measure subtracted.  Pure functions.

   A call takes INNER longer since it is measured itself, and OUTER for each call inside.
   Of single calls it is not known how many were inside: the longer one takes the more, so
   that all become shorter by the same factor.

   What a pair costs differs by what the program does around it: it is known to a third.
   A time that is less than three times what it took to measure it is told as a bound.  */

#ifndef MLPROF_REGIONTIMES_H
#define MLPROF_REGIONTIMES_H

#include "mlprof/profile/regions.h"

struct regiontimes_cost {
    double tick;         /* nanoseconds */
    double inner, outer; /* nanoseconds; 0 if nothing is to be subtracted */
};

/* As large as this many of all calls are: where its bucket says that it is, and within
   which bounds.  */
struct regiontimes_percentile {
    double at, least, most;
};

/* Nanoseconds; all but SPENT are 0 where nothing has ended.  Nothing is cold: COLD and
   its bounds are 0, and likewise of WARM.  */
struct regiontimes {
    double self;
    double mean, deviation; /* of one call, all the calls' standard deviation */
    double error;           /* of the mean: its standard deviation */
    double first, min, max;
    struct regiontimes_percentile p50, p99;
    double cold, cold_min, cold_max; /* the mean of cold calls, and their bounds */
    double warm;                     /* and of the others */
    double cpu;                      /* of one call on average, if known */
    double spent;                    /* what those took that have not ended */
    double cost;                     /* what was subtracted from a call on average */
    double measuring;      /* what it took to measure a call and those inside of it */
    double self_measuring; /* and all calls, of what is in their own time */
};

/* The cost in REGIONS; nothing if it is not to be subtracted.  */
struct regiontimes_cost regiontimes_cost(const struct regions *regions, bool subtract);

struct regiontimes regiontimes_of(const struct regions_sums *sums,
                                  const struct regiontimes_cost *cost);

/* What the calls took for themselves, without calls inside.  */
double regiontimes_self(const struct regions_sums *sums,
                        const struct regiontimes_cost *cost);

/* As large as SHARE, 0 to 1, of all calls are.  */
struct regiontimes_percentile regiontimes_percentile(const struct regions_sums *sums,
                                                     const struct regiontimes_cost *cost,
                                                     double share);

/* A time that was measured, in nanoseconds; what is less than a TICK, as means become
   when the cost is subtracted, is said to be less: nothing is known of it.  To be freed.
 */
char *regiontimes_text(double nanoseconds, double tick);

/* Whether a time of which so much was MEASURING is told as a bound, and which.  */
bool regiontimes_is_bound(double nanoseconds, double measuring);
double regiontimes_bound(double nanoseconds, double measuring);

/* As regiontimes_text, and a bound as `<' and that.  */
char *regiontimes_sure_text(double nanoseconds, double measuring, double tick);

/* What a call of so many ticks took without what it cost to measure; at least 0.  */
double regiontimes_without(const struct regions_sums *sums,
                           const struct regiontimes_cost *cost, double ticks);

#endif
