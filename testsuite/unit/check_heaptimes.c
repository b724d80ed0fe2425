/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The heap over time in a data file: what is read, which part of it a range has, what
   damage is called.  */

#define _GNU_SOURCE
#include "mlprof/profile/heapranges.h"
#include "runner.h"
#include "testsuite/unit/datafile.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#define MODULES "module 0 6a2f 0x0 prog\nmodule 1 - 0x0 lib\n"

/* A heap over time: 12 buckets of 8 ms, of which the last one is young.  */
#define SPANS_HEAD                                                                       \
    "ccprof mlmon 9\nkind time\nengine thread-timer\nclock cpu\nrate 100\nstack yes\n"   \
    "cpu 0\nwall 0\nthreads 1\nwaits 0\nsamples 0\nlost 0\nelsewhere 0\n" MODULES        \
    "counts 0\nheap "
#define BUCKETS                                                                          \
    "times 8 12 stacks\n50 40 4096\n90 40 0\n40 40 0\n40 40 0\n40 40 0\n40 40 0\n40 40 " \
    "0\n"                                                                                \
    "40 40 0\n40 40 0\n40 40 0\n40 40 0\n70 60 8192\n"
#define SPANS                                                                            \
    SPANS_HEAD                                                                           \
    "exact ended\nallocated 13 130\nfreed 6 60\nalive 7 70\npeak 9 90 9\nunknown 0\n"    \
    "unkept 0\nmemory 1\n" BUCKETS                                                       \
    "stacks 2\n0 0 0x10 11 110 5 50 6 60 9 90\nlife 0 0 0 0 0 0 5 50 0 0 0 0 0 0 0 0 "   \
    "0 0 0 0\nborn 0 5 50 0 1 10 1 1 10\nborn 1 3 30 1 2 20 11 1 10\nborn 11 3 30\n"     \
    "1 1 0x20 2 20 1 10 1 10 0 0\nborn 11 1 10\nend\n"

static void assert_cell(const struct heaptimes_cell *cell, uint32_t node, unsigned born,
                        unsigned freed, uint64_t blocks, uint64_t bytes)
{
    ck_assert_uint_eq(cell->node, node);
    ck_assert_uint_eq(cell->born, born);
    ck_assert_uint_eq(cell->freed, freed);
    ck_assert_uint_eq(cell->blocks, blocks);
    ck_assert_uint_eq(cell->bytes, bytes);
}

/* As older runtimes have written it.  */
#define OLDER                                                                            \
    "ccprof mlmon 8\nkind time\nengine thread-timer\nclock cpu\nrate 100\nstack yes\n"   \
    "cpu 0\nwall 0\nthreads 1\nwaits 0\nsamples 0\nlost 0\nelsewhere 0\n" MODULES        \
    "counts 0\nheap exact ended\nallocated 1 10\nfreed 0 0\nalive 1 10\npeak 1 10 7\n"   \
    "unknown 0\nunkept 0\nmemory 1\nstacks 1\n0 0 0x10 1 10 0 0 1 10 1 10\nend\n"

START_TEST(a_heap_over_time)
{
    struct profile profile = datafile_parse(SPANS), older = datafile_parse(OLDER);
    const struct heaptimes *times = &profile.heap.times;

    ck_assert_uint_eq(times->width, 8);
    ck_assert_uint_eq(times->count, 12);
    ck_assert(times->cells_known);
    ck_assert_uint_eq(times->buckets[0].resident, 4096);
    ck_assert_uint_eq(times->buckets[1].most, 90);
    ck_assert_uint_eq(times->buckets[11].alive, 60);
    ck_assert_uint_eq(times->cell_count, 7);
    assert_cell(&times->cells[0], 0, 0, 0, 1, 10);
    assert_cell(&times->cells[1], 0, 0, 1, 1, 10);
    assert_cell(&times->cells[2], 0, 0, HEAPTIMES_ALIVE, 3, 30);
    assert_cell(&times->cells[3], 0, 1, 1, 2, 20);
    assert_cell(&times->cells[4], 0, 1, 11, 1, 10);
    assert_cell(&times->cells[5], 0, 11, HEAPTIMES_ALIVE, 3, 30);
    assert_cell(&times->cells[6], 1, 11, HEAPTIMES_ALIVE, 1, 10);
    ck_assert_uint_eq(heaptimes_young(times), 11);
    datafile_assert_amount(&profile.heap.nodes[0].of[HEAPDATA_YOUNG], 3, 30);
    datafile_assert_amount(&profile.heap.sums[HEAPDATA_YOUNG], 4, 40);
    ck_assert_uint_eq(older.heap.times.count, 0);
    ck_assert_uint_eq(heaptimes_young(&older.heap.times), HEAPTIMES_ALIVE);
    profile_free(&older);
    profile_free(&profile);
}
END_TEST

/* One run has an axis, several have none.  */
START_TEST(times_are_of_one_run)
{
    struct profile into = {0}, from = datafile_parse(SPANS);
    struct fault fault = {0};

    ck_assert(profile_merge(&into, &from, "first", &fault));
    ck_assert_uint_eq(into.heap.times.count, 12);
    ck_assert_uint_eq(into.heap.times.cell_count, 7);
    assert_cell(&into.heap.times.cells[6], 1, 11, HEAPTIMES_ALIVE, 1, 10);
    ck_assert(profile_merge(&into, &from, "second", &fault));
    ck_assert_uint_eq(into.heap.times.count, 0);
    ck_assert_uint_eq(into.heap.times.cell_count, 0);
    profile_free(&from);
    profile_free(&into);
}
END_TEST

/* FROM and TO in seconds; what is then TOTAL and LIVE of the first point.  */
static const struct {
    double from, to;
    bool at_end;
    uint64_t first, end, total, live;
} ranges[] = {
    {0, INFINITY, false, 0, 96, 11, 6}, {0, 0.008, false, 0, 8, 5, 4},
    {0, 0.001, false, 0, 8, 5, 4},      {0, 0.008, true, 0, 8, 5, 3},
    {0.008, 0.016, false, 8, 16, 3, 1}, {0.01, 0.0101, false, 8, 16, 3, 1},
    {0.008, 0.016, true, 8, 16, 3, 0},  {0, 0.016, false, 0, 16, 8, 4},
    {0.016, 0.08, true, 16, 80, 0, 0},  {0.088, 7, true, 88, 96, 3, 3},
};

START_TEST(a_range_of_time)
{
    struct profile profile = datafile_parse(SPANS);
    const struct heapranges_asked asked = {true, ranges[_i].from, ranges[_i].to};
    const struct heapdata *heap = &profile.heap;
    struct fault fault = {0};

    ck_assert(heapranges_select(&profile.heap, &asked, ranges[_i].at_end, "-x", &fault));
    ck_assert_uint_eq(heap->times.range.from, ranges[_i].first);
    ck_assert_uint_eq(heap->times.range.to, ranges[_i].end);
    datafile_assert_amount(&heap->nodes[0].of[HEAPDATA_TOTAL], ranges[_i].total,
                           10 * ranges[_i].total);
    datafile_assert_amount(&heap->nodes[0].of[HEAPDATA_LIVE], ranges[_i].live,
                           10 * ranges[_i].live);
    datafile_assert_amount(&heap->nodes[0].of[HEAPDATA_FREED],
                           ranges[_i].total - ranges[_i].live,
                           10 * (ranges[_i].total - ranges[_i].live));
    datafile_assert_amount(&heap->nodes[0].of[HEAPDATA_PEAK], 0, 0);
    ck_assert_uint_eq(heap->sums[HEAPDATA_TOTAL].blocks,
                      ranges[_i].total + (ranges[_i].end == 96));
    ck_assert_uint_eq(heap->sums[HEAPDATA_YOUNG].blocks, ranges[_i].end == 96 ? 4 : 0);
    profile_free(&profile);
}
END_TEST

START_TEST(no_range_of_time)
{
    struct profile profile = datafile_parse(SPANS);
    struct heapranges_asked asked = {0};
    struct fault fault = {0};
    static const char *const wrong[] = {"",    "1",    "-1",   "1-1",  "2-1",    "x-2",
                                        "1-x", "1-2x", "1 -2", "1- 2", "1e999-", "+1-2"};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
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
END_TEST

#define SPANS_SAMPLED                                                                    \
    SPANS_HEAD                                                                           \
    "sampled 1000 ended\nallocated 4 36\nfreed 2 18\nalive 2 18\npeak 3 27 77\n"         \
    "unknown 0\nunkept 0\nmemory 4096\n" BUCKETS                                         \
    "stacks 2\n0 0 0x10 0 0 0 0 0 0 0 0\n1 size 9 4 36 2 18 2 18 3 27\n"                 \
    "born 0 2 18 3 1 9 11 1 9\nborn 11 2 18\nend\n"

START_TEST(samples_over_time)
{
    struct profile profile = datafile_parse(SPANS_SAMPLED);
    const struct heaptimes *times = &profile.heap.times;

    ck_assert_uint_eq(times->cell_count, 3);
    ck_assert_uint_eq(times->cells[2].size, 9);
    assert_cell(&times->cells[2], 0, 11, HEAPTIMES_ALIVE, 2, 18);
    /* A block of 9 bytes stands for 100.5008 blocks.  */
    datafile_assert_amount(&profile.heap.nodes[0].of[HEAPDATA_YOUNG], 201, 1809);
    profile_free(&profile);
}
END_TEST

/* The two of bucket 11 stand for 100.5008 blocks each, and of those of bucket 0 none was
   alive at its end but the two that were freed later.  */
START_TEST(a_range_of_samples)
{
    struct profile profile = datafile_parse(SPANS_SAMPLED);
    const struct heapranges_asked late = {true, 0.088, 1}, early = {true, 0, 0.008};
    struct fault fault = {0};

    ck_assert(heapranges_select(&profile.heap, &early, false, "-x", &fault));
    datafile_assert_amount(&profile.heap.sums[HEAPDATA_LIVE], 201, 1809);
    ck_assert(heapranges_select(&profile.heap, &early, true, "-x", &fault));
    datafile_assert_amount(&profile.heap.sums[HEAPDATA_LIVE], 0, 0);
    datafile_assert_amount(&profile.heap.sums[HEAPDATA_TOTAL], 201, 1809);
    ck_assert(heapranges_select(&profile.heap, &late, true, "-x", &fault));
    datafile_assert_amount(&profile.heap.sums[HEAPDATA_LIVE], 201, 1809);
    ck_assert_uint_eq(profile.heap.sized_count, 1);
    ck_assert_uint_eq(profile.heap.sized[0].blocks[HEAPDATA_LIVE], 2);
    profile_free(&profile);
}
END_TEST

/* FROM of the file is replaced by TO.  */
static const struct {
    const char *from, *to, *what;
} spans_damages[] = {
    {"mlmon 9", "mlmon 8", "line 25: it should be `stacks' and a number"},
    {"times 8 12 stacks", "times 8 12",
     "line 25: it should be `times', two numbers, and `stacks' or `crowded'"},
    {"times 8 12 stacks", "times 8 12 stacks ",
     "line 25: it should be `times', two numbers, and `stacks' or `crowded'"},
    {"times 8 12", "times 0 12", "line 25: no buckets of time, or too many"},
    {"times 8 12", "times 8 0", "line 25: no buckets of time, or too many"},
    {"times 8 12", "times 8 65", "line 25: no buckets of time, or too many"},
    {"times 8 12", "times 4294967296 12", "line 25: no buckets of time, or too many"},
    {"times 8 12", "times 8 13", "line 38: it should be three numbers"},
    {"times 8 12", "times 8 11", "line 37: it should be `stacks' and a number"},
    {"50 40 4096", "50 40", "line 26: it should be three numbers"},
    {"50 40 4096", "50 51 4096", "line 26: more bytes than there can be"},
    {"50 40 4096", "72057594037927937 40 4096", "line 26: more bytes than there can be"},
    {"12 stacks\n", "12 crowded\n",
     "line 41: it should be a depth, a module, an address, and eight numbers"},
    {"born 0 5 50", "born 12 5 50",
     "line 41: it should be `born', buckets, blocks and bytes"},
    {"born 0 5 50", "born x 5 50",
     "line 41: it should be `born', buckets, blocks and bytes"},
    {"born 1 3", "born 0 3", "line 42: it should be `born', buckets, blocks and bytes"},
    {"1 2 20 11", "0 2 20 11", "line 42: it should be `born', buckets, blocks and bytes"},
    {"11 1 10\nborn", "12 1 10\nborn",
     "line 42: it should be `born', buckets, blocks and bytes"},
    {"11 1 10\nborn", "1 1 10\nborn",
     "line 42: it should be `born', buckets, blocks and bytes"},
    {"11 1 10\nborn", "11 2 10\nborn",
     "line 42: it should be `born', buckets, blocks and bytes"},
    {"11 1 10\nborn", "11 1 11\nborn",
     "line 42: it should be `born', buckets, blocks and bytes"},
    {"11 1 10\nborn", "11 1\nborn",
     "line 42: it should be `born', buckets, blocks and bytes"},
    {"born 11 3 30", "born 11 4 30",
     "line 43: more blocks in buckets of time than there were"},
    {"born 11 3 30", "born 11 3 31",
     "line 43: more blocks in buckets of time than there were"},
    {"born 11 3 30", "born 11 3 30 11 1 10",
     "line 43: more blocks in buckets of time than there were"},
    {"born 11 3 30", "born 11 18446744073709551615 30",
     "line 43: it should be `born', buckets, blocks and bytes"},
};

START_TEST(damage_of_times)
{
    datafile_assert_damage(SPANS, spans_damages[_i].from, spans_damages[_i].to,
                           FAULT_GARBLED, spans_damages[_i].what);
}
END_TEST

START_TEST(damage_of_sampled_times)
{
    datafile_assert_damage(SPANS_SAMPLED, "born 11 2 18", "born 11 2 17", FAULT_GARBLED,
                           "line 42: it should be `born', buckets, blocks and bytes");
}
END_TEST

START_TEST(cut_off_anywhere)
{
    datafile_assert_cut_off(SPANS);
    datafile_assert_cut_off(SPANS_SAMPLED);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("heaptimes");
    TCase *tests = tcase_create("heaptimes");
    tcase_add_test(tests, a_heap_over_time);
    tcase_add_test(tests, times_are_of_one_run);
    tcase_add_test(tests, samples_over_time);
    tcase_add_loop_test(tests, a_range_of_time, 0, sizeof ranges / sizeof *ranges);
    tcase_add_test(tests, no_range_of_time);
    tcase_add_test(tests, a_range_of_samples);
    tcase_add_loop_test(tests, damage_of_times, 0,
                        sizeof spans_damages / sizeof *spans_damages);
    tcase_add_test(tests, damage_of_sampled_times);
    tcase_add_test(tests, cut_off_anywhere);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
