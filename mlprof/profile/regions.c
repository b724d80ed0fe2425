/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds regions and paths, and merges the times of another run. If the clocks of the
   runs differ, the ticks are converted. */

#include "mlprof/profile/regions.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"

#include <stdlib.h>
#include <string.h>

/* Speeds of a clock that differ by less than 1 / SAME_SPEED are treated as equal. */
#define SAME_SPEED 1000

void regions_free(struct regions *regions)
{
    intern_free(&regions->names);
    free(regions->regions.list);
    index_free(&regions->region_index);
    free(regions->paths.list);
    index_free(&regions->path_index);
    free(regions->events.list);
    memset(regions, 0, sizeof *regions);
}

uint32_t regions_put(struct regions *regions, const char *name, uint32_t module,
                     uint64_t address, bool *fresh)
{
    uint32_t text = intern_put(&regions->names, name);
    uint32_t number = index_put(&regions->region_index, text, module, address, fresh);
    if (*fresh)
        BUF_PUSH(regions->regions) =
            (struct regions_region){.name = text, .module = module, .address = address};
    return number;
}

uint32_t regions_put_path(struct regions *regions, uint32_t parent, uint32_t region,
                          bool *fresh)
{
    uint32_t number = index_put(&regions->path_index, parent, region, 0, fresh);
    if (*fresh)
        BUF_PUSH(regions->paths) =
            (struct regions_path){.parent = parent, .region = region};
    return number;
}

#define PARTS (1 << CCPROF_BUCKET_BITS)

uint64_t regions_bucket_least(size_t bucket)
{
    if (bucket < CCPROF_BUCKET_EXACT)
        return bucket;
    size_t above = bucket - CCPROF_BUCKET_EXACT;
    return (uint64_t)(PARTS + above % PARTS) << (above / PARTS + 1);
}

uint64_t regions_bucket_end(size_t bucket)
{
    return bucket + 1 < CCPROF_BUCKETS ? regions_bucket_least(bucket + 1) : 0;
}

size_t regions_bucket(uint64_t ticks)
{
    if (ticks < CCPROF_BUCKET_EXACT)
        return (size_t)ticks;
    unsigned top = 63 - (unsigned)__builtin_clzll(ticks);
    size_t part = (size_t)(ticks >> (top - CCPROF_BUCKET_BITS)) - PARTS;
    size_t bucket = CCPROF_BUCKET_EXACT + PARTS * (top - CCPROF_BUCKET_BITS - 1) + part;
    return bucket < CCPROF_BUCKETS ? bucket : CCPROF_BUCKETS - 1;
}

/* Adds FROM to *INTO. Returns false on overflow. */
static bool add(uint64_t *into, uint64_t from)
{
    return !__builtin_add_overflow(*into, from, into);
}

/* Merges the minimum and the maximum of two sets of calls. COUNT and FROM are the
   numbers of calls; a set without calls is ignored. */
static void add_bounds(uint64_t count, uint64_t *least, uint64_t *most, uint64_t from,
                       uint64_t from_least, uint64_t from_most)
{
    if (from == 0)
        return;
    if (count == 0 || from_least < *least)
        *least = from_least;
    if (from_most > *most)
        *most = from_most;
}

bool regions_sums_add(struct regions_sums *into, const struct regions_sums *from)
{
    bool fresh = into->count == 0 && into->open == 0;
    into->has_cpu = from->has_cpu && (fresh || into->has_cpu);
    if (into->count == 0)
        into->first = from->first;
    add_bounds(into->count, &into->min, &into->max, from->count, from->min, from->max);
    add_bounds(into->cold, &into->cold_min, &into->cold_max, from->cold, from->cold_min,
               from->cold_max);
    bool good = add(&into->count, from->count) && add(&into->total, from->total) &&
                add(&into->nested, from->nested) && add(&into->self, from->self) &&
                add(&into->direct, from->direct) && add(&into->inside, from->inside) &&
                add(&into->cpu, from->cpu) && add(&into->left, from->left) &&
                add(&into->open, from->open) && add(&into->spent, from->spent) &&
                add(&into->cold, from->cold) &&
                add(&into->cold_total, from->cold_total) &&
                !__builtin_add_overflow(into->squares, from->squares, &into->squares);
    /* The buckets add up to the count, which did not overflow. */
    for (size_t i = 0; i < CCPROF_BUCKETS; i++)
        into->buckets[i] += from->buckets[i];
    return good;
}

static bool same_speed(const struct regions *one, const struct regions *other)
{
    uint64_t difference = one->hz < other->hz ? other->hz - one->hz : one->hz - other->hz;
    return one->clock == other->clock && difference < one->hz / SAME_SPEED + 1;
}

/* Sets *TICKS to *TICKS * TO / FROM, rounded. Returns false if the result is too
   large. */
static bool convert(uint64_t *ticks, uint64_t from, uint64_t to)
{
    regions_wide wide = ((regions_wide)*ticks * to + from / 2) / from;
    *ticks = (uint64_t)wide;
    return wide <= UINT64_MAX;
}

/* Converts a sum of squares, with the precision of a long double. */
static bool convert_squares(regions_wide *squares, uint64_t from, uint64_t to)
{
    const long double limit = 0x1p127L;
    long double ratio = (long double)to / (long double)from;
    long double value = (long double)*squares * ratio * ratio;
    if (value >= limit)
        return false;
    *squares = (regions_wide)value;
    return true;
}

/* Moves the calls of each bucket to the bucket that contains the converted middle of
   the bucket. */
static void convert_buckets(uint64_t *buckets, uint64_t from, uint64_t to)
{
    uint64_t before[CCPROF_BUCKETS];
    memcpy(before, buckets, sizeof before);
    memset(buckets, 0, sizeof before);
    for (size_t i = 0; i < CCPROF_BUCKETS; i++) {
        uint64_t least = regions_bucket_least(i), end = regions_bucket_end(i);
        uint64_t middle = end ? least + (end - least) / 2 : least;
        size_t bucket =
            convert(&middle, from, to) ? regions_bucket(middle) : CCPROF_BUCKETS - 1;
        buckets[bucket] += before[i];
    }
}

static bool convert_sums(struct regions_sums *sums, uint64_t from, uint64_t to)
{
    convert_buckets(sums->buckets, from, to);
    return convert(&sums->total, from, to) && convert(&sums->nested, from, to) &&
           convert(&sums->self, from, to) && convert(&sums->first, from, to) &&
           convert(&sums->min, from, to) && convert(&sums->max, from, to) &&
           convert(&sums->spent, from, to) && convert(&sums->cold_total, from, to) &&
           convert(&sums->cold_min, from, to) && convert(&sums->cold_max, from, to) &&
           convert_squares(&sums->squares, from, to);
}

/* Sets SUMS to the sums of a path of FROM, converted to the ticks of INTO. */
static bool convert_path(struct regions_sums *sums, const struct regions *into,
                         const struct regions *from, size_t path)
{
    *sums = from->paths.list[path].sums;
    return into->clock == REGIONS_NONE || same_speed(into, from) ||
           convert_sums(sums, from->hz, into->hz);
}

bool regions_fit(const struct regions *into, const struct regions *from)
{
    struct regions_sums all = {0}, sums;
    for (size_t i = 0; i < into->paths.count; i++)
        if (!regions_sums_add(&all, &into->paths.list[i].sums))
            return false;
    for (size_t i = 0; i < from->paths.count; i++)
        if (!convert_path(&sums, into, from, i) || !regions_sums_add(&all, &sums))
            return false;
    return true;
}

static uint64_t calls_of(const struct regions *regions)
{
    uint64_t count = 0;
    for (size_t i = 0; i < regions->paths.count; i++)
        count += regions->paths.list[i].sums.count;
    return count;
}

/* Returns the mean of two costs, weighted by calls, so that the amount subtracted is
   the amount that the runs spent. */
static uint64_t mean_cost(uint64_t one, uint64_t calls, uint64_t other,
                          uint64_t other_calls)
{
    regions_wide all = (regions_wide)calls + other_calls;
    if (all == 0)
        return one;
    return (uint64_t)(((regions_wide)one * calls + (regions_wide)other * other_calls) /
                      all);
}

static void merge_costs(struct regions *into, const struct regions *from)
{
    uint64_t inner = from->inner, outer = from->outer;
    uint64_t calls = calls_of(into), others = calls_of(from);
    if (!same_speed(into, from) &&
        !(convert(&inner, from->hz, into->hz) && convert(&outer, from->hz, into->hz)))
        return;
    into->inner = mean_cost(into->inner, calls, inner, others);
    into->outer = mean_cost(into->outer, calls, outer, others);
}

static void merge_clock(struct regions *into, const struct regions *from)
{
    if (into->clock != REGIONS_NONE) {
        merge_costs(into, from);
        return;
    }
    into->clock = from->clock;
    into->hz = from->hz;
    into->inner = from->inner;
    into->outer = from->outer;
}

void regions_merge(struct regions *into, const struct regions *from, const uint32_t *map)
{
    bool fresh;
    struct regions_sums sums;
    if (from->clock == REGIONS_NONE)
        return;
    merge_clock(into, from);
    into->unplaced = saturate_add(into->unplaced, from->unplaced);
    free(into->events.list);
    into->events.list = NULL;
    into->events.count = into->events.capacity = 0;
    into->has_events = false;
    into->event_least = 0;
    BUF_OWN uint32_t *numbers = buf_alloc((from->paths.count + 1) * sizeof *numbers);
    for (size_t i = 0; i < from->paths.count; i++) {
        const struct regions_path *path = &from->paths.list[i];
        const struct regions_region *region = &from->regions.list[path->region];
        uint32_t module =
            region->module == REGIONS_NAMED ? REGIONS_NAMED : map[region->module];
        uint32_t number = regions_put(into, intern_text(&from->names, region->name),
                                      module, region->address, &fresh);
        uint32_t parent =
            path->parent == REGIONS_NO_PATH ? REGIONS_NO_PATH : numbers[path->parent];
        numbers[i] = regions_put_path(into, parent, number, &fresh);
        convert_path(&sums, into, from, i);
        regions_sums_add(&into->paths.list[numbers[i]].sums, &sums);
    }
}
