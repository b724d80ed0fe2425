/* SPDX-License-Identifier: MIT */
/* Owns what is known of the clock's speed, and measures what a region costs.  made: the
   first region of the process; the others: where files are written.  */

#define _GNU_SOURCE
#include "rt/os/pages.h"
#include "rt/os/sys.h"
#include "rt/regions/regions-inside.h"

#define SECOND      1000000000u
#define MILLISECOND 1000000u
#define THOUSAND    1000

/* Nanoseconds: to guess the speed; and to measure it.  */
#define COST_GUESS   20000u
#define COST_MEASURE (5 * MILLISECOND)

/* Batches, the fastest of which counts; pairs in each.  */
#define COST_BATCHES 16
#define COST_PAIRS   128

_Static_assert(COST_PAIRS <= REGIONS_EVENTS, "the events of a batch have room");

/* The two clocks at one moment: of a few pairs the one that took the shortest time.  */
static void cost_both(uint64_t *ticks, uint64_t *ns)
{
    uint64_t best = 0;

    for (int i = 0; i < 8; i++) {
        uint64_t from = ccprof_regions.clock->ticks();
        uint64_t at = ccprof_sys_clock(CLOCK_MONOTONIC);
        uint64_t to = ccprof_regions.clock->ticks();
        if (i == 0 || to - from < best) {
            best = to - from;
            *ticks = from + best / 2;
            *ns = at;
        }
    }
}

static uint64_t cost_scale(uint64_t ticks, uint64_t by, uint64_t ns)
{
    return (uint64_t)((unsigned __int128)ticks * by / ns);
}

/* Measured since the first region, some milliseconds at least.  */
static uint64_t cost_measure(uint64_t least)
{
    uint64_t ticks, ns;

    do
        cost_both(&ticks, &ns);
    while (ns - ccprof_regions.start_ns < least);
    return cost_scale(ticks - ccprof_regions.start, SECOND, ns - ccprof_regions.start_ns);
}

uint64_t ccprof_regions_rate(void)
{
    if (ccprof_regions.clock->rate)
        return ccprof_regions.clock->rate();
    return cost_measure(COST_MEASURE);
}

/* The program may have been interrupted between any two readings, but hardly in
   cost_both.  */
uint64_t ccprof_regions_ticks_at(uint64_t ns, uint64_t rate)
{
    const struct regions *regions = &ccprof_regions;

    if (ns > regions->start_ns)
        return regions->start + cost_scale(ns - regions->start_ns, rate, SECOND);
    return regions->start - cost_scale(regions->start_ns - ns, rate, SECOND);
}

bool ccprof_regions_made(void)
{
    struct regions *regions = &ccprof_regions;
    uint64_t rate;

    if (regions->start_ns != 0)
        return true;
    if (!ccprof_regions_names_make() || !ccprof_regions_pool_make())
        return false;
    cost_both(&regions->start, &regions->start_ns);
    rate = regions->clock->rate ? regions->clock->rate() : cost_measure(COST_GUESS);
    regions->pause = cost_scale(regions->pause_ns, rate, SECOND);
    return true;
}

/* The mean of a batch, in thousandths.  */
static void cost_batch(struct regions_node *node, struct ccprof_region *region,
                       uint64_t *inner, uint64_t *outer)
{
    const struct regions_calls *calls = ccprof_regions.calls;
    uint64_t from, to, before = node->figures.total;

    /* What is kept is forgotten, before there would be no room.  */
    if (ccprof_regions.has_events)
        ccprof_regions_self->event = ccprof_regions_self->event_end - REGIONS_EVENTS;
    from = ccprof_regions.clock->ticks();
    for (int i = 0; i < COST_PAIRS; i++)
        calls->cut(calls->begin(region));
    to = ccprof_regions.clock->ticks();
    *inner = (node->figures.total - before) * THOUSAND / COST_PAIRS;
    *outer = (to - from) * THOUSAND / COST_PAIRS;
}

/* A thread of its own, in which the path is there already.  */
static void cost_prepare(struct regions_thread *thread, struct regions_node *node,
                         const struct ccprof_region *region)
{
    ccprof_regions_thread_clear(thread);
    node->key = region->number;
    node->parent = &thread->root;
    regions_recent_clear(node, node);
    node->figures.min = UINT64_MAX;
    node->last = ccprof_regions.clock->ticks();
    regions_recent_clear(&thread->root, node);
}

/* All signals are blocked.  */
void ccprof_regions_cost(uint64_t *inner, uint64_t *outer)
{
    struct regions_thread *self = ccprof_regions_self;
    struct ccprof_region region = {"", (unsigned long)1 << REGIONS_KEY_SHIFT};
    struct ccprof_pages pages;
    struct regions_thread *thread;
    struct regions_node *node;

    *inner = *outer = 0;
    size_t size = ccprof_regions_thread_size();
    if (!ccprof_pages_make(&pages, size + sizeof *node))
        return;
    thread = (void *)pages.at;
    node = (void *)(pages.at + size);
    cost_prepare(thread, node, &region);
    ccprof_regions_self = thread;
    for (int i = 0; i < COST_BATCHES; i++) {
        uint64_t now_inner, now_outer;
        cost_batch(node, &region, &now_inner, &now_outer);
        if (i == 0 || now_outer < *outer) {
            *inner = now_inner;
            *outer = now_outer;
        }
    }
    ccprof_regions_self = self;
    ccprof_pages_free(&pages);
}
