/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/regions/regiontimes.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <math.h>
#include <stdlib.h>

#define NANOSECONDS 1e9
#define NANOSECOND  1e-9
#define THOUSANDTHS 1e-3

/* KNOWN_TO: how exactly the cost of measuring is known.  SURE: a time that is at least so
   many times the cost of measuring is shown as it is, and otherwise as a bound.  */
#define KNOWN_TO (1. / 3)
#define SURE     3

struct regiontimes_cost regiontimes_cost(const struct regions *regions, bool subtract)
{
    double tick = regions->hz ? NANOSECONDS / (double)regions->hz : 0;
    double part = subtract ? tick * THOUSANDTHS : 0;
    return (struct regiontimes_cost){.tick = tick,
                                     .inner = part * (double)regions->inner,
                                     .outer = part * (double)regions->outer};
}

/* The part of the calls' time, 0 to 1, that is not the cost of calls inside.  */
static double own_part(const struct regions_sums *sums,
                       const struct regiontimes_cost *cost)
{
    double time = (double)sums->total * cost->tick - (double)sums->count * cost->inner;
    double inside = (double)sums->inside * cost->outer;
    return inside <= 0 ? 1 : inside < time ? 1 - inside / time : 0;
}

double regiontimes_without(const struct regions_sums *sums,
                           const struct regiontimes_cost *cost, double ticks)
{
    return fmax(0, ticks * cost->tick - cost->inner) * own_part(sums, cost);
}

/* The sum of the squared distances from the mean.  TOTAL * TOTAL fits into 128 bits, so
   only the fraction of a tick is rounded.  */
static double squares_around_mean(const struct regions_sums *sums)
{
    regions_wide all = (regions_wide)sums->total * sums->total / sums->count;
    return sums->squares > all ? (double)(sums->squares - all) : 0;
}

/* The calls of a bucket are assumed to be spread evenly over it.  */
static double within_bucket(size_t bucket, uint64_t before, uint64_t count)
{
    double least = (double)regions_bucket_least(bucket);
    uint64_t end = regions_bucket_end(bucket);
    if (bucket < CCPROF_BUCKET_EXACT || end == 0)
        return least;
    return least + ((double)end - least) * ((double)before + 0.5) / (double)count;
}

struct regiontimes_percentile regiontimes_percentile(const struct regions_sums *sums,
                                                     const struct regiontimes_cost *cost,
                                                     double share)
{
    uint64_t rank = (uint64_t)ceil(share * (double)sums->count), before = 0;
    size_t bucket = 0;
    if (sums->count == 0)
        return (struct regiontimes_percentile){0};
    rank = rank < 1 ? 1 : rank > sums->count ? sums->count : rank;
    while (bucket + 1 < CCPROF_BUCKETS && before + sums->buckets[bucket] < rank)
        before += sums->buckets[bucket++];
    double min = (double)sums->min, max = (double)sums->max;
    double least = (double)regions_bucket_least(bucket);
    uint64_t end = regions_bucket_end(bucket);
    double most = end ? (double)(end - 1) : max;
    double at = within_bucket(bucket, rank - before - 1, sums->buckets[bucket]);
    /* After merging files with other ticks, the bounds may be one bucket off.  */
    least = fmin(fmax(least, min), max);
    most = fmax(fmin(most, max), min);
    at = fmin(fmax(at, min), max);
    return (struct regiontimes_percentile){.at = regiontimes_without(sums, cost, at),
                                           .least =
                                               regiontimes_without(sums, cost, least),
                                           .most = regiontimes_without(sums, cost, most)};
}

/* All of the cost of calls directly inside is in this time, except what these calls
   measured themselves.  */
double regiontimes_self(const struct regions_sums *sums,
                        const struct regiontimes_cost *cost)
{
    double around = fmax(0, cost->outer - cost->inner);
    return fmax(0, (double)sums->self * cost->tick - (double)sums->count * cost->inner -
                       (double)sums->direct * around);
}

static double mean_of(const struct regions_sums *sums,
                      const struct regiontimes_cost *cost, uint64_t total, uint64_t count)
{
    if (count == 0)
        return 0;
    return regiontimes_without(sums, cost, (double)total / (double)count);
}

struct regiontimes regiontimes_of(const struct regions_sums *sums,
                                  const struct regiontimes_cost *cost)
{
    struct regiontimes times = {.spent = (double)sums->spent * cost->tick};
    if (sums->count == 0)
        return times;
    double count = (double)sums->count;
    if (sums->count > 1)
        times.deviation = cost->tick * own_part(sums, cost) *
                          sqrt(squares_around_mean(sums) / (count - 1));
    times.error = times.deviation / sqrt(count);
    times.self = regiontimes_self(sums, cost);
    times.mean = mean_of(sums, cost, sums->total, sums->count);
    times.first = regiontimes_without(sums, cost, (double)sums->first);
    times.min = regiontimes_without(sums, cost, (double)sums->min);
    times.max = regiontimes_without(sums, cost, (double)sums->max);
    times.p50 = regiontimes_percentile(sums, cost, 0.5);
    times.p99 = regiontimes_percentile(sums, cost, 0.99);
    times.cold = mean_of(sums, cost, sums->cold_total, sums->cold);
    times.warm =
        mean_of(sums, cost, sums->total - sums->cold_total, sums->count - sums->cold);
    if (sums->cold) {
        times.cold_min = regiontimes_without(sums, cost, (double)sums->cold_min);
        times.cold_max = regiontimes_without(sums, cost, (double)sums->cold_max);
    }
    times.cpu = (double)sums->cpu / count;
    times.cost = (double)sums->total / count * cost->tick - times.mean;
    times.measuring = cost->outer * (1 + (double)sums->inside / count);
    times.self_measuring = cost->outer * (count + (double)sums->direct);
    return times;
}

bool regiontimes_is_bound(double nanoseconds, double measuring)
{
    return nanoseconds < SURE * measuring;
}

double regiontimes_bound(double nanoseconds, double measuring)
{
    return nanoseconds + KNOWN_TO * measuring;
}

char *regiontimes_text(double nanoseconds, double tick)
{
    if (nanoseconds >= tick)
        return text_time(nanoseconds * NANOSECOND);
    char *least = text_time(tick * NANOSECOND), *text = buf_format("<%s", least);
    free(least);
    return text;
}

char *regiontimes_sure_text(double nanoseconds, double measuring, double tick)
{
    double bound = regiontimes_bound(nanoseconds, measuring);
    if (!regiontimes_is_bound(nanoseconds, measuring) || bound < tick)
        return regiontimes_text(nanoseconds, tick);
    char *most = text_time(bound * NANOSECOND), *text = buf_format("<%s", most);
    free(most);
    return text;
}
