/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lm */
/* What is subtracted from the time of calls, and which times are told as bounds, of
   figures made by hand: a tick is half a nanosecond, a region that does nothing is
   measured as 10 ns, and costs 30.  */

#define _GNU_SOURCE
#include "mlprof/regions/regiontimes.h"
#include "testsuite/unit/tests.h"

static const struct regions regions = {.hz = 2000000000, .inner = 20000, .outer = 60000};

#define NEAR(is, due) ck_assert_double_eq_tol(is, due, 1e-9)

static void shown(double nanoseconds, double measuring, double tick, const char *due)
{
    assert_text(regiontimes_sure_text(nanoseconds, measuring, tick), due);
}

/* 100 calls of 11 ns each: an accessor of one.  */
TEST(an_accessor)
{
    struct regiontimes_cost cost = regiontimes_cost(&regions, true);
    struct regions_sums sums = {.count = 100, .total = 2200, .self = 2200};
    struct regiontimes times = regiontimes_of(&sums, &cost);
    NEAR(times.mean, 1);
    NEAR(times.self, 100);
    NEAR(times.cost, 10);
    NEAR(times.measuring, 30);
    NEAR(times.self_measuring, 3000);
    ck_assert(regiontimes_is_bound(times.mean, times.measuring));
    NEAR(regiontimes_bound(times.mean, times.measuring), 11);
    shown(times.mean, times.measuring, cost.tick, "<11.0ns");
}

/* 10 calls of 1000 ns, in each five, of which four directly: 10 is subtracted for it and
   30 for each.  Of itself it has 1000 less what the four were measured as, 11 each, and
   less what they took beside that, 20 each.  */
TEST(calls_inside)
{
    struct regiontimes_cost cost = regiontimes_cost(&regions, true);
    struct regions_sums sums = {
        .count = 10, .total = 20000, .self = 19120, .direct = 40, .inside = 50};
    struct regiontimes times = regiontimes_of(&sums, &cost);
    NEAR(times.mean, 1000 - 10 - 5 * 30);
    NEAR(times.self, 10 * (1000 - 4 * 11 - 10 - 4 * 20));
    NEAR(times.cost, 160);
    NEAR(times.measuring, 6 * 30);
    NEAR(times.self_measuring, 30 * (10 + 40));
    ck_assert(!regiontimes_is_bound(times.mean, times.measuring));
    shown(times.mean, times.measuring, cost.tick, "840ns");
}

/* Times, what it cost to measure them, and a tick, of less than which nothing is known.
 */
static const struct {
    double time, measuring, tick;
    const char *shown;
} limits[] = {
    {90, 30, 0.5, "90.0ns"},  {89.9, 30, 0.5, "<99.9ns"}, {0, 30, 0.5, "<10.0ns"},
    {0.1, 30, 20, "<20.0ns"}, {0.1, 0.3, 0.5, "<0.50ns"}, {0, 0, 0.5, "<0.50ns"},
};

TEST_ROWS(bounds, limits)
{
    shown(limits[_i].time, limits[_i].measuring, limits[_i].tick, limits[_i].shown);
}

/* As it was measured, it is no bound.  */
TEST(nothing_is_subtracted)
{
    struct regiontimes_cost cost = regiontimes_cost(&regions, false);
    struct regions_sums sums = {.count = 100, .total = 2200, .self = 2200};
    struct regiontimes times = regiontimes_of(&sums, &cost);
    NEAR(times.mean, 11);
    shown(times.mean, times.measuring, cost.tick, "11.0ns");
}
