/* SPDX-License-Identifier: MIT */
/* Puts each call of a region into one slice: remembers for each path all that slices have
   told, and subtracts this from the figures of the next slice.  Owns what is remembered.
   Threads go on counting meanwhile; their figures are never reset.  Called where files
   are written, with all signals blocked and the lock held; told is called later, by the
   same thread, without the lock.

   The shortest and longest times cannot be subtracted.  They are right in the slice in
   which they changed; in any other slice the bounds of the outermost buckets stand for
   them.  So the times over all slices are right.  */

#define _GNU_SOURCE
#include <string.h>

#include "rt/regions/regions.h"
#include "rt/regions/regions-inside.h"

static uint64_t tell_less(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t tell_more(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns the shortest time of the bucket (mlmon.out(5)).  */
static uint64_t tell_low(unsigned bucket)
{
    unsigned above = bucket - CCPROF_BUCKET_EXACT;

    if (bucket < CCPROF_BUCKET_EXACT)
        return bucket;
    return (uint64_t)((1u << CCPROF_BUCKET_BITS) + above % (1u << CCPROF_BUCKET_BITS))
           << (above / (1u << CCPROF_BUCKET_BITS) + 1);
}

/* Sets the times of ALL, whose buckets have been subtracted already.  */
static void tell_bounds(struct regions_figures *all, const struct regions_figures *told)
{
    unsigned least = 0, most = CCPROF_BUCKETS - 1;

    while (all->bucket[least] == 0)
        least++;
    while (all->bucket[most] == 0)
        most--;
    if (all->min >= told->min)
        all->min = tell_more(all->min, tell_low(least));
    if (all->max <= told->max && most + 1 < CCPROF_BUCKETS)
        all->max = tell_less(all->max, tell_low(most + 1) - 1);
    all->first = tell_more(tell_less(all->first, all->max), all->min);
}

/* Sets the times of cold calls, which have no buckets of their own.  If a thread was
   stopped at the end of a call, the time of this call may be there although the call is
   not counted yet: tell_later.  */
static void tell_cold(struct regions_figures *all, const struct regions_figures *told)
{
    if (all->cold == 0) {
        all->cold_total = all->cold_min = all->cold_max = 0;
    } else if (told->cold != 0) {
        if (all->cold_min >= told->cold_min)
            all->cold_min = tell_more(all->cold_min, all->min);
        if (all->cold_max <= told->cold_max)
            all->cold_max = tell_less(all->cold_max, all->max);
    }
}

static void tell_subtract(struct regions_figures *all, const struct regions_figures *told)
{
    unsigned __int128 squares = (unsigned __int128)all->squares_high << 64 | all->squares;

    squares -= (unsigned __int128)told->squares_high << 64 | told->squares;
    all->squares = (uint64_t)squares;
    all->squares_high = (uint64_t)(squares >> 64);
    all->count -= told->count;
    all->total -= told->total;
    all->nested -= told->nested;
    all->self -= told->self;
    all->inner -= told->inner;
    all->cpu -= told->cpu;
    all->left -= told->left;
    all->cold -= told->cold;
    all->cold_total -= told->cold_total;
    for (unsigned i = 0; i < CCPROF_BUCKETS; i++)
        all->bucket[i] -= told->bucket[i];
}

/* Returns false if there is no memory.  */
static bool tell_remember(struct regions_node *path, const struct regions_figures *all)
{
    if (!path->telling)
        path->telling = ccprof_regions_node_new(true);
    if (!path->told)
        path->told = ccprof_regions_node_new(true);
    if (!path->telling || !path->told)
        return false;
    path->telling->figures = *all;
    path->telling->open = 1;
    return true;
}

/* Leaves the time of a call that is not counted yet to the next slice.  */
static void tell_later(struct regions_node *path, const struct regions_figures *all)
{
    if (all->cold == 0)
        path->telling->figures.cold_total -= all->cold_total;
}

bool ccprof_regions_slice(struct regions_node *path, struct regions_figures *all,
                         bool slice)
{
    const struct regions_figures *told;

    if (slice && !tell_remember(path, all))
        return false;
    told = path->told ? &path->told->figures : NULL;
    if (!told || told->count == 0)
        return true;
    if (all->count == told->count) {
        if (slice)
            path->telling->open = 0;
        return false;
    }
    tell_subtract(all, told);
    if (slice)
        tell_later(path, all);
    tell_bounds(all, told);
    tell_cold(all, told);
    return true;
}

void ccprof_regions_slice_begin(void)
{
    for (struct regions_node *path = ccprof_regions_paths(); path; path = path->next)
        if (path->telling)
            path->telling->open = 0;
}

void ccprof_regions_slices_forget(struct regions_node *path)
{
    /* The fork came while another thread was exchanging the two.  */
    if (path->telling == path->told)
        path->telling = NULL;
    if (path->told)
        memset(&path->told->figures, 0, sizeof path->told->figures);
    if (path->telling)
        path->telling->open = 0;
}

void ccprof_regions_slice_done(void)
{
    for (struct regions_node *path = ccprof_regions_paths(); path; path = path->next) {
        struct regions_node *telling = path->telling;
        if (!telling || telling->open == 0)
            continue;
        telling->open = 0;
        path->telling = path->told;
        path->told = telling;
    }
}
