/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/regions/regions-cost.c rt/regions/regions-pool.c rt/os/memory.c
   rt/os/lock.c */
/* The overhead of a pair of calls is its most frequent duration, with a clock that
   advances by a known number of ticks at each reading. */

#include "rt_tests.h"
#include "rt/os/sys.h"
#include "standins.h"

static uint64_t time_now, reads, slow;

/* In 4000 readings, the first 1000 take 10 ticks each and the others SLOW. */
static uint64_t read_clock(void)
{
    reads++;
    return time_now += reads % 4000 < 1000 ? 10 : slow;
}

#define REGIONS_TICKS() read_clock()
#include "rt/regions/regions-hot.h"

static const struct regions_clock test_clock = {.name = "test", REGIONS_CLOCK_CALLS};

struct regions_node *ccprof_regions_find(struct ccprof_region *region, uint64_t address)
{
    ck_abort_msg("%s %lx is looked for", region->name, (unsigned long)address);
}

void ccprof_regions_cut_slowly(unsigned long opened, uint64_t at)
{
    ck_abort_msg("%lu at %lu: it was not begun last", opened, (unsigned long)at);
}

void ccprof_regions_end_slowly(struct ccprof_region *region, uint64_t at)
{
    ck_abort_msg("%s at %lu: it was not begun last", region->name, (unsigned long)at);
}

static unsigned kept;

void ccprof_regions_events_keep(struct regions_thread *thread,
                                const struct regions_node *node, uint64_t start,
                                uint64_t length, bool is_nested)
{
    kept++;
}

static const struct {
    const struct regions_calls *calls;
    bool has_events;
    uint64_t slow;
} clocks[] = {
    {&test_clock.wall, false, 10},
    /* The clock is fast in a quarter of the readings. The program's pairs cannot rely on
       that. */
    {&test_clock.wall, false, 15},
    /* Events of the calls here are not kept, because they are not the program's. */
    {&test_clock.wall_events, true, 10},
};

TEST_ROWS(test_cost, clocks)
{
    uint64_t inner, outer;

    slow = clocks[_i].slow;
    ccprof_regions.clock = &test_clock;
    ccprof_regions.calls = clocks[_i].calls;
    ccprof_regions.has_events = clocks[_i].has_events;
    ccprof_regions_cost(&inner, &outer);
    ck_assert_ptr_eq(ccprof_regions_self, &ccprof_regions_none);
    ck_assert_uint_eq(kept, 0);
    ck_assert_uint_eq(inner, 1000 * slow);
    if (clocks[_i].has_events)
        return;
    /* A pair reads the clock twice. Each batch of pairs reads it once more. */
    ck_assert_uint_ge(outer, 2 * inner);
    ck_assert_uint_le(outer, 2 * inner + inner / 50);
}
