/* SPDX-License-Identifier: MIT */
/* Assigns each call of a region to one slice. Records, for each path, the sums over
   earlier slices, and subtracts them from the figures of the next slice. Meanwhile
   threads continue to count; their figures are never reset. Called when files are
   written, with all signals blocked and the lock held. ccprof_regions_slice_done is
   called later, by the same thread, without the lock.

   Minimum and maximum times cannot be subtracted. They are exact in a slice during
   which they changed. In other slices they are estimated by the bounds of the
   outermost buckets. So the minimum and maximum over all slices are exact. */

#define _GNU_SOURCE
#include <string.h>

#include "rt/regions/regions-inside.h"
#include "rt/regions/regions.h"

static uint64_t slice_minimum(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t slice_maximum(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns the shortest time in the bucket (mlmon.out(5)). */
static uint64_t slice_bucket_start(unsigned bucket)
{
    unsigned above = bucket - CCPROF_BUCKET_EXACT;

    if (bucket < CCPROF_BUCKET_EXACT)
        return bucket;
    return (uint64_t)((1u << CCPROF_BUCKET_BITS) + above % (1u << CCPROF_BUCKET_BITS))
           << (above / (1u << CCPROF_BUCKET_BITS) + 1);
}

/* Sets the minimum, maximum and first time in ALL, whose buckets already exclude
   earlier slices. */
static void slice_bounds(struct regions_figures *all,
                         const struct regions_figures *earlier)
{
    unsigned least = 0, most = CCPROF_BUCKETS - 1;

    while (all->bucket[least] == 0)
        least++;
    while (all->bucket[most] == 0)
        most--;
    if (all->min >= earlier->min)
        all->min = slice_maximum(all->min, slice_bucket_start(least));
    if (all->max <= earlier->max && most + 1 < CCPROF_BUCKETS)
        all->max = slice_minimum(all->max, slice_bucket_start(most + 1) - 1);
    all->first = slice_maximum(slice_minimum(all->first, all->max), all->min);
}

/* Sets the times of cold calls in ALL. Cold calls have no buckets of their own. If a
   thread was interrupted at the end of a call, ALL may include the time of this call
   before the call is counted; see slice_postpone. */
static void slice_cold(struct regions_figures *all, const struct regions_figures *earlier)
{
    if (all->cold == 0) {
        all->cold_total = all->cold_min = all->cold_max = 0;
    } else if (earlier->cold != 0) {
        if (all->cold_min >= earlier->cold_min)
            all->cold_min = slice_maximum(all->cold_min, all->min);
        if (all->cold_max <= earlier->cold_max)
            all->cold_max = slice_minimum(all->cold_max, all->max);
    }
}

static void slice_subtract(struct regions_figures *all,
                           const struct regions_figures *earlier)
{
    unsigned __int128 squares = (unsigned __int128)all->squares_high << 64 | all->squares;

    squares -= (unsigned __int128)earlier->squares_high << 64 | earlier->squares;
    all->squares = (uint64_t)squares;
    all->squares_high = (uint64_t)(squares >> 64);
    all->count -= earlier->count;
    all->total -= earlier->total;
    all->nested -= earlier->nested;
    all->self -= earlier->self;
    all->inner -= earlier->inner;
    all->cpu -= earlier->cpu;
    all->left -= earlier->left;
    all->cold -= earlier->cold;
    all->cold_total -= earlier->cold_total;
    for (unsigned i = 0; i < CCPROF_BUCKETS; i++)
        all->bucket[i] -= earlier->bucket[i];
}

/* Records ALL, the sums that include the new slice. Returns false if there is no
   memory. */
static bool slice_record(struct regions_node *path, const struct regions_figures *all)
{
    if (!path->pending)
        path->pending = ccprof_regions_node_new(true);
    if (!path->earlier)
        path->earlier = ccprof_regions_node_new(true);
    if (!path->pending || !path->earlier)
        return false;
    path->pending->figures = *all;
    path->pending->open = 1;
    return true;
}

/* If a call is not counted yet, moves the time of this call to the next slice. */
static void slice_postpone(struct regions_node *path, const struct regions_figures *all)
{
    if (all->cold == 0)
        path->pending->figures.cold_total -= all->cold_total;
}

bool ccprof_regions_slice(struct regions_node *path, struct regions_figures *all,
                          bool slice)
{
    const struct regions_figures *earlier;

    if (slice && !slice_record(path, all))
        return false;
    earlier = path->earlier ? &path->earlier->figures : NULL;
    if (!earlier || earlier->count == 0)
        return true;
    if (all->count == earlier->count) {
        if (slice)
            path->pending->open = 0;
        return false;
    }
    slice_subtract(all, earlier);
    if (slice)
        slice_postpone(path, all);
    slice_bounds(all, earlier);
    slice_cold(all, earlier);
    return true;
}

void ccprof_regions_slice_begin(void)
{
    for (struct regions_node *path = ccprof_regions_paths(); path; path = path->next)
        if (path->pending)
            path->pending->open = 0;
}

void ccprof_regions_slices_forget(struct regions_node *path)
{
    /* The fork happened while another thread was exchanging the two pointers. */
    if (path->pending == path->earlier)
        path->pending = NULL;
    if (path->earlier)
        memset(&path->earlier->figures, 0, sizeof path->earlier->figures);
    if (path->pending)
        path->pending->open = 0;
}

void ccprof_regions_slice_done(void)
{
    for (struct regions_node *path = ccprof_regions_paths(); path; path = path->next) {
        struct regions_node *pending = path->pending;
        if (!pending || pending->open == 0)
            continue;
        pending->open = 0;
        path->pending = path->earlier;
        path->earlier = pending;
    }
}
