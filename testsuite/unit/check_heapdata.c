/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/datafiles.c mlprof.a -lelf -lz -lm */
/* The heap of a profile: its points, and what sampled blocks stand for.  */

#include "mlprof/profile/heappoints.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/datafiles_read.h"

/* What a point has in a bin.  */
static uint64_t in_bin(const struct profile *points, uint32_t owner, uint32_t bin)
{
    const struct shares *shares = &points->times.shares;
    for (size_t i = 0; i < shares->count; i++)
        if (shares->entries[i].owner == owner && shares->entries[i].bin == bin)
            return shares->entries[i].count;
    return 0;
}

TEST(points_of_a_heap)
{
    struct profile profile = datafiles_read("heap"), points;
    uint32_t root, number;
    heappoints_make(&points, &profile, false);
    ck_assert_int_eq(profile_measure(&points), PROFILE_BYTES);
    ck_assert(points.stack);
    ck_assert_uint_eq(points.node_count, 5);
    ck_assert(index_get(&profile.heap.index, PROFILE_NO_NODE, 0, 0x10, &root));
    ck_assert(index_get(&profile.heap.index, root, 0, 0x20, &number));
    ck_assert_uint_eq(points.nodes[number].parent, root);
    ck_assert_uint_eq(points.nodes[number].address, 0x20);
    ck_assert_uint_eq(points.nodes[number].count, 4 + 400 + 4 + 400 + 1 + 100);
    ck_assert_uint_eq(in_bin(&points, number, HEAPPOINTS_BLOCKS(HEAPDATA_TOTAL)), 4);
    ck_assert_uint_eq(in_bin(&points, number, HEAPPOINTS_BYTES(HEAPDATA_FREED)), 400);
    ck_assert_uint_eq(in_bin(&points, number, HEAPPOINTS_BYTES(HEAPDATA_LIVE)), 0);
    ck_assert_uint_eq(in_bin(&points, number, HEAPPOINTS_BYTES(HEAPDATA_PEAK)), 100);
    ck_assert_uint_eq(in_bin(&points, root, HEAPPOINTS_BYTES(HEAPDATA_PEAK)), 200);
    heappoints_free(&points);

    struct heapdata_amount amounts[HEAPDATA_MEASURES] = {0};
    *heappoints_of_bin(amounts, HEAPPOINTS_BLOCKS(HEAPDATA_PEAK)) = 3;
    *heappoints_of_bin(amounts, HEAPPOINTS_BYTES(HEAPDATA_LIVE)) = 7;
    datafiles_assert_amount(&amounts[HEAPDATA_PEAK], 3, 0);
    datafiles_assert_amount(&amounts[HEAPDATA_LIVE], 0, 7);

    ck_assert(!heappoints_alone(&profile));
    profile.kind = CCPROF_KIND_REGION;
    ck_assert(heappoints_alone(&profile));
    profile.heap.measured = false;
    ck_assert(!heappoints_alone(&profile));
    profile_free(&profile);
}

/* Three blocks of 9 bytes, each of which stands for 100.5.  */
TEST(doubts_of_samples)
{
    struct statistics_doubt doubts[2] = {0};
    heapdata_doubt(doubts, 1000, 9, 3);
    ck_assert_double_eq_tol(doubts[0].unseen, 3 * 99.50083, 0.001);
    ck_assert_double_eq_tol(doubts[0].variance, 3 * 99.50083 * 100.50083, 0.1);
    ck_assert_double_eq_tol(doubts[1].unseen, 9 * 3 * 99.50083, 0.01);
    ck_assert_double_eq_tol(doubts[1].variance, 81 * 3 * 99.50083 * 100.50083, 10);
}
