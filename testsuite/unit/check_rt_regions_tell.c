/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/regions/regions-slices.c */
/* The calls of a path written into each slice. */

#include "rt_tests.h"
#include "rt/regions/regions-inside.h"
#include "rt/regions/regions.h"
#include "standins.h"

static struct regions_node path, nodes[8];
static size_t used;

RETURNS(struct regions_node *, ccprof_regions_paths, (void), &path)

struct regions_node *ccprof_regions_node_new(bool alone)
{
    ck_assert_uint_lt(used, LENGTH(nodes));
    return &nodes[used++];
}

/* Returns COUNT calls of 5 ticks each, COLD of which are cold. */
static struct regions_figures calls(uint64_t count, uint64_t cold)
{
    struct regions_figures figures = {.count = count,
                                      .total = 5 * count,
                                      .self = 5 * count,
                                      .min = 5,
                                      .max = 5,
                                      .first = 5,
                                      .cold = cold,
                                      .cold_total = 5 * cold,
                                      .cold_min = cold ? 5 : 0,
                                      .cold_max = cold ? 5 : 0};
    figures.bucket[5] = count;
    return figures;
}

/* Returns the part of ALL that belongs to the next slice. WRITTEN: the slice is
   written. */
static struct regions_figures slice(struct regions_figures all, bool written)
{
    ccprof_regions_slice_begin();
    if (!ccprof_regions_slice(&path, &all, true))
        memset(&all, 0, sizeof all);
    if (written)
        ccprof_regions_slice_done();
    return all;
}

static void assert_calls(struct regions_figures got, uint64_t count, uint64_t total)
{
    ck_assert_uint_eq(got.count, count);
    ck_assert_uint_eq(got.bucket[5], count);
    ck_assert_uint_eq(got.total, total);
}

TEST(test_each_call_once)
{
    assert_calls(slice(calls(3, 0), true), 3, 15);
    assert_calls(slice(calls(3, 0), true), 0, 0);
    /* Data that were not written come with the next slice. */
    assert_calls(slice(calls(7, 0), false), 4, 20);
    assert_calls(slice(calls(8, 0), true), 5, 25);
    assert_calls(slice(calls(9, 0), true), 1, 5);
}

/* The time of a call is stored but the call is not counted yet: both belong to the next
   slice. */
TEST(test_torn)
{
    struct regions_figures torn = calls(3, 0);

    assert_calls(slice(calls(3, 0), true), 3, 15);
    torn.total += 5;
    assert_calls(slice(torn, true), 0, 0);
    assert_calls(slice(calls(4, 0), true), 1, 5);
}

static void assert_cold(struct regions_figures got, uint64_t count, uint64_t cold,
                        uint64_t total)
{
    assert_calls(got, count, 5 * count);
    ck_assert_uint_eq(got.cold, cold);
    ck_assert_uint_eq(got.cold_total, total);
    ck_assert_uint_eq(got.cold_max, cold ? 5 : 0);
}

/* A cold call is counted but its time is not stored yet: the time belongs to the slice
   with the next cold call. No slice has cold time without cold calls. */
TEST(test_torn_cold)
{
    struct regions_figures torn = calls(2, 2);

    torn.cold_total = 5;
    assert_cold(slice(torn, true), 2, 2, 5);
    assert_cold(slice(calls(3, 2), true), 1, 0, 0);
    assert_cold(slice(calls(4, 3), true), 1, 1, 10);
}

/* A fork may happen at any time while the parent writes. */
TEST(test_child)
{
    assert_calls(slice(calls(3, 0), true), 3, 15);
    assert_calls(slice(calls(4, 0), true), 1, 5);
    path.pending = path.earlier;
    ccprof_regions_slices_forget(&path);
    assert_calls(slice(calls(2, 0), true), 2, 10);
    assert_calls(slice(calls(5, 0), true), 3, 15);
}
