/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/datafiles.c mlprof.a -lelf -lz -lm */
/* The heap over time: young blocks, and the amounts in a range of time. */

#include "mlprof/profile/heapranges.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/datafiles_read.h"

#include <math.h>

TEST(young_blocks)
{
    struct profile profile = datafiles_read("spans"), older = datafiles_read("lives"),
                   sampled = datafiles_read("spans-sampled");

    ck_assert_uint_eq(heaptimes_young(&profile.heap.times), 11);
    datafiles_assert_amount(&profile.heap.nodes.list[0].amounts[HEAPDATA_YOUNG], 3, 30);
    datafiles_assert_amount(&profile.heap.sums[HEAPDATA_YOUNG], 4, 40);
    ck_assert_uint_eq(heaptimes_young(&older.heap.times), HEAPTIMES_ALIVE);
    /* A sampled block of 9 bytes represents 100.5008 blocks. */
    ck_assert_uint_eq(sampled.heap.times.cells.list[2].size, 9);
    datafiles_assert_amount(&sampled.heap.nodes.list[0].amounts[HEAPDATA_YOUNG], 201,
                            1809);
    profile_free(&sampled);
    profile_free(&older);
    profile_free(&profile);
}

/* FROM and TO are in seconds. TOTAL and LIVE are the blocks of the first point in this
   range. */
static const struct {
    double from, to;
    bool at_end;
    uint64_t first, end, total, live;
} ranges[] = {
    {0, INFINITY, false, 0, 96, 11, 6}, {0.008, 0.016, false, 8, 16, 3, 1},
    {0.008, 0.016, true, 8, 16, 3, 0},  {0.01, 0.0101, false, 8, 16, 3, 1},
    {0, 0.016, false, 0, 16, 8, 4},     {0.088, 7, true, 88, 96, 3, 3},
};

TEST_ROWS(a_range_of_time, ranges)
{
    struct profile profile = datafiles_read("spans");
    const struct heapranges_request asked = {true, ranges[_i].from, ranges[_i].to};
    const struct heapdata *heap = &profile.heap;
    struct fault fault = {0};

    ck_assert(heapranges_select(&profile.heap, &asked, ranges[_i].at_end, "-x", &fault));
    ck_assert_uint_eq(heap->times.range.from, ranges[_i].first);
    ck_assert_uint_eq(heap->times.range.to, ranges[_i].end);
    datafiles_assert_amount(&heap->nodes.list[0].amounts[HEAPDATA_TOTAL],
                            ranges[_i].total, 10 * ranges[_i].total);
    datafiles_assert_amount(&heap->nodes.list[0].amounts[HEAPDATA_LIVE], ranges[_i].live,
                            10 * ranges[_i].live);
    datafiles_assert_amount(&heap->nodes.list[0].amounts[HEAPDATA_FREED],
                            ranges[_i].total - ranges[_i].live,
                            10 * (ranges[_i].total - ranges[_i].live));
    datafiles_assert_amount(&heap->nodes.list[0].amounts[HEAPDATA_PEAK], 0, 0);
    ck_assert_uint_eq(heap->sums[HEAPDATA_TOTAL].blocks,
                      ranges[_i].total + (ranges[_i].end == 96));
    ck_assert_uint_eq(heap->sums[HEAPDATA_YOUNG].blocks, ranges[_i].end == 96 ? 4 : 0);
    profile_free(&profile);
}

TEST(no_range_of_time)
{
    struct profile profile = datafiles_read("spans");
    struct heapranges_request asked = {0};
    struct fault fault = {0};
    static const char *const wrong[] = {"1",    "-1",   "1-1",   "1-2x",
                                        "1 -2", "1- 2", "1e999-"};

    for (size_t i = 0; i < LENGTH(wrong); i++) {
        char *told = heapranges_read(&asked, wrong[i]);
        ck_assert_msg(told != NULL, "%s", wrong[i]);
        free(told);
    }
    ck_assert_ptr_null(heapranges_read(&asked, "0.5-1e1"));
    ck_assert_double_eq(asked.from, 0.5);
    ck_assert_double_eq(asked.to, 10);
    ck_assert_ptr_null(heapranges_read(&asked, "0.096-"));
    ck_assert(!heapranges_select(&profile.heap, &asked, true, "-x", &fault));
    ck_assert_str_eq(fault.text, "-x: the run ended after 0.10 seconds");
    fault_clear(&fault);
    profile_free(&profile);
}
