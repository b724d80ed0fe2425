/* SPDX-License-Identifier: MIT */
/* Measures the speed of the clock and the cost of a region. Owns nothing but its
   results in ccprof_regions. The first region of the process calls made. The other
   functions are called when files are written. */

#define _GNU_SOURCE
#include "rt/os/memory.h"
#include "rt/os/sys.h"
#include "rt/regions/regions-inside.h"

#define SECOND      1000000000u
#define MILLISECOND 1000000u
#define THOUSAND    1000

/* For how long the clock is observed, in nanoseconds: GUESS for a rough estimate of
   its speed, MEASURE for the speed in the file. */
#define COST_GUESS   20000u
#define COST_MEASURE (5 * MILLISECOND)

/* The cost is the median over batches. The fastest batch would show the cost without
   any delay, which is rare in a program. Each batch begins and ends all regions. The
   regions form groups: one outer region with the other regions inside. So two
   consecutive pairs of calls never have the same path, as is usual in programs in
   which stopwatches cost much. */
#define COST_BATCHES 31
#define COST_ROUNDS  4
#define COST_REGIONS 64
#define COST_GROUP   8

/* Number of registers saved around a call, by quiet-x86_64.cc of the plugin or by the
   compiler. */
#define COST_REGISTERS 10

_Static_assert(COST_GROUP <= REGIONS_EVENTS, "the events of a group have room");

/* Reads both clocks at nearly the same moment: of several attempts, uses the shortest
   one. */
static void cost_read_clocks(uint64_t *ticks, uint64_t *ns)
{
    uint64_t best = 0;

    for (int i = 0; i < 8; i++) {
        uint64_t from = ccprof_regions.clock->ticks();
        uint64_t time = ccprof_sys_clock(CLOCK_MONOTONIC);
        uint64_t to = ccprof_regions.clock->ticks();
        if (i == 0 || to - from < best) {
            best = to - from;
            *ticks = from + best / 2;
            *ns = time;
        }
    }
}

static uint64_t cost_scale(uint64_t ticks, uint64_t factor, uint64_t ns)
{
    return (uint64_t)((unsigned __int128)ticks * factor / ns);
}

/* Returns the ticks per second, measured since the first region began. Waits until at
   least LEAST nanoseconds have passed since the first region began. */
static uint64_t cost_measure(uint64_t least)
{
    uint64_t ticks, ns;

    do
        cost_read_clocks(&ticks, &ns);
    while (ns - ccprof_regions.start_ns < least);
    return cost_scale(ticks - ccprof_regions.start, SECOND, ns - ccprof_regions.start_ns);
}

uint64_t ccprof_regions_rate(void)
{
    if (ccprof_regions.clock->rate)
        return ccprof_regions.clock->rate();
    return cost_measure(COST_MEASURE);
}

/* Converts with the pair of readings in ccprof_regions, which cost_read_clocks took. A
   fresh pair might be wrong, since the program may be interrupted between two readings.
 */
uint64_t ccprof_regions_ticks_at(uint64_t ns, uint64_t rate)
{
    const struct regions *regions = &ccprof_regions;

    if (ns > regions->start_ns)
        return regions->start + cost_scale(ns - regions->start_ns, rate, SECOND);
    return regions->start - cost_scale(regions->start_ns - ns, rate, SECOND);
}

bool ccprof_regions_initialize(void)
{
    struct regions *regions = &ccprof_regions;
    uint64_t rate;

    if (regions->start_ns != 0)
        return true;
    if (!ccprof_regions_names_make() || !ccprof_regions_pool_make())
        return false;
    cost_read_clocks(&regions->start, &regions->start_ns);
    rate = regions->clock->rate ? regions->clock->rate() : cost_measure(COST_GUESS);
    regions->pause = cost_scale(regions->pause_ns, rate, SECOND);
    return true;
}

struct cost_region {
    struct ccprof_region region;
    struct regions_node node;
};

struct cost_mean {
    uint64_t inner, outer;
};

/* The thread is the last member, since its frames and events follow it in memory. */
struct cost {
    struct cost_mean batch[COST_BATCHES];
    struct cost_region region[COST_REGIONS];
    struct regions_thread thread;
};

/* Calls the runtime in the same way as the program: through a function that saves
   registers. */
static void __attribute__((noinline)) cost_begin(struct ccprof_region *region)
{
    volatile uint64_t kept[COST_REGISTERS];

    for (int i = 0; i < COST_REGISTERS; i++)
        kept[i] = (uintptr_t)region;
    __atomic_load_n(&ccprof_regions.calls, __ATOMIC_RELAXED)->begin(region);
    for (int i = 0; i < COST_REGISTERS; i++)
        (void)kept[i];
}

static void __attribute__((noinline)) cost_end(struct ccprof_region *region)
{
    volatile uint64_t kept[COST_REGISTERS];

    for (int i = 0; i < COST_REGISTERS; i++)
        kept[i] = (uintptr_t)region;
    __atomic_load_n(&ccprof_regions.calls, __ATOMIC_RELAXED)->end(region);
    for (int i = 0; i < COST_REGISTERS; i++)
        (void)kept[i];
}

/* Begins and ends each region once. */
static void cost_round(struct cost *cost)
{
    struct regions_thread *thread = &cost->thread;

    for (unsigned index = 0; index < COST_REGIONS; index += COST_GROUP) {
        struct cost_region *group = &cost->region[index];
        /* Drop kept calls before their room is full. */
        if (ccprof_regions.has_events)
            thread->event = thread->event_end - REGIONS_EVENTS;
        thread->root.recent[regions_recent_of(group->region.number)] = &group->node;
        cost_begin(&group->region);
        for (unsigned i = 1; i < COST_GROUP; i++) {
            cost_begin(&group[i].region);
            cost_end(&group[i].region);
        }
        cost_end(&group->region);
    }
}

/* Returns the total time of calls without regions inside. */
static uint64_t cost_total(const struct cost *cost)
{
    uint64_t total = 0;

    for (unsigned i = 0; i < COST_REGIONS; i++)
        total += i % COST_GROUP ? cost->region[i].node.figures.total : 0;
    return total;
}

/* Runs one batch. Returns the mean costs in this batch, in thousandths of a tick. */
static struct cost_mean cost_batch(struct cost *cost)
{
    uint64_t before = cost_total(cost), from, to;

    from = ccprof_regions.clock->ticks();
    for (unsigned i = 0; i < COST_ROUNDS; i++)
        cost_round(cost);
    to = ccprof_regions.clock->ticks();
    return (struct cost_mean){
        .inner = (cost_total(cost) - before) * THOUSAND /
                 (COST_ROUNDS * (COST_REGIONS - COST_REGIONS / COST_GROUP)),
        .outer = (to - from) * THOUSAND / (COST_ROUNDS * COST_REGIONS)};
}

static void cost_prepare(struct cost *cost)
{
    uint64_t number = 0;

    ccprof_regions_thread_clear(&cost->thread);
    for (unsigned i = 0; i < COST_REGIONS; i++) {
        struct cost_region *entry = &cost->region[i];
        struct regions_node *node = &entry->node;
        struct regions_node *parent =
            i % COST_GROUP ? &cost->region[i - i % COST_GROUP].node : &cost->thread.root;
        /* Choose keys such that the paths of a group have different entries of
           `recent'. */
        do
            node->key = ++number << REGIONS_KEY_SHIFT;
        while (i % COST_GROUP && parent->recent[regions_recent_of(node->key)] != parent);
        entry->region = (struct ccprof_region){"", node->key};
        node->parent = parent;
        regions_recent_clear(node, node);
        node->figures.min = UINT64_MAX;
        node->last = ccprof_regions.clock->ticks();
        parent->recent[regions_recent_of(node->key)] = node;
    }
}

/* Returns the median batch. */
static struct cost_mean cost_median(struct cost_mean *batch)
{
    for (unsigned i = 0; i <= COST_BATCHES / 2; i++)
        for (unsigned k = i + 1; k < COST_BATCHES; k++)
            if (batch[k].outer < batch[i].outer) {
                struct cost_mean less = batch[k];
                batch[k] = batch[i];
                batch[i] = less;
            }
    return batch[COST_BATCHES / 2];
}

/* The caller must have blocked all signals. */
void ccprof_regions_cost(uint64_t *inner, uint64_t *outer)
{
    struct regions_thread *self = ccprof_regions_self;
    struct ccprof_pages pages;
    struct cost *cost;

    *inner = *outer = 0;
    if (!ccprof_pages_make(&pages,
                           offsetof(struct cost, thread) + ccprof_regions_thread_size()))
        return;
    cost = (void *)pages.start;
    cost_prepare(cost);
    ccprof_regions_self = &cost->thread;
    cost_round(cost);
    for (unsigned i = 0; i < COST_BATCHES; i++)
        cost->batch[i] = cost_batch(cost);
    ccprof_regions_self = self;
    struct cost_mean middle = cost_median(cost->batch);
    *inner = middle.inner;
    *outer = middle.outer;
    ccprof_pages_free(&pages);
}
