/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Slices of the heap: what is read of one, and what those of one process or several are
   together, in whatever order they are added.  */

#define _GNU_SOURCE
#include "runner.h"
#include "testsuite/unit/datafile.h"

#include <check.h>

#define HEAD                                                                             \
    "ccprof mlmon 9\nkind time\nengine thread-timer\nclock cpu\nrate 100\nstack yes\n"   \
    "cpu 0\nwall 0\nthreads 1\nwaits 0\nsamples 0\nlost 0\nelsewhere 0\n"                \
    "module 0 6a2f 0x0 prog\ncounts 0\n"
#define REST "unknown 1\nunkept 2\nmemory 4096\n"

/* Three slices of a process: the peak is in the second one.  A block of 500 bytes is made
   and freed there, and one of 30 that the first one has made is freed in the last.  */
#define FIRST                                                                            \
    HEAD "heap exact running\nslice 0 70 1234\nallocated 2 130\nfreed 0 0\n"             \
         "alive 2 130\npeak 2 130 10\n" REST                                             \
         "stacks 2\n0 0 0x10 1 100 0 0 1 100 1 100\n0 0 0x20 1 30 0 0 1 30 1 30\nend\n"
#define SECOND                                                                           \
    HEAD "heap exact running\nslice 1 70 1234\nallocated 1 500\nfreed 1 500\n"           \
         "alive 2 130\npeak 3 630 20\n" REST                                             \
         "stacks 3\n0 0 0x10 0 0 0 0 1 100 1 100\n0 0 0x20 0 0 0 0 1 30 1 30\n"          \
         "0 0 0x30 1 500 1 500 0 0 1 500\nlife 1 500 0 0 0 0 1 500 0 0 0 0 0 0 0 0 0 0 " \
         "0 0\nend\n"
#define THIRD                                                                            \
    HEAD "heap exact ended\nslice 2 70 1234\nallocated 0 0\nfreed 1 30\n"                \
         "alive 1 100\npeak 2 130 25\n" REST                                             \
         "stacks 2\n0 0 0x10 0 0 0 0 1 100 1 100\n0 0 0x20 0 0 1 30 0 0 1 30\n"          \
         "life 0 0 0 0 0 0 1 30 0 0 0 0 0 0 0 0 0 0 0 0\nend\n"

/* The same number of another process, which is going on, and a run without slices.  */
#define ALONE                                                                            \
    HEAD "heap exact running\nslice 0 70 1235\nallocated 1 7\nfreed 0 0\nalive 1 7\n"    \
         "peak 1 7 5\n" REST "stacks 1\n0 0 0x10 1 7 0 0 1 7 1 7\nend\n"
#define WHOLE                                                                            \
    HEAD "heap exact ended\nallocated 1 9\nfreed 0 0\nalive 1 9\npeak 1 9 6\n" REST      \
         "stacks 1\n0 0 0x10 1 9 0 0 1 9 1 9\nend\n"

static const struct heapdata_amount *at(const struct heapdata *heap, uint64_t address)
{
    uint32_t number;
    ck_assert(index_get(&heap->index, PROFILE_NO_NODE, 0, address, &number));
    return heap->nodes[number].of;
}

static void add(struct profile *into, const char *text)
{
    struct profile from = datafile_parse(text);
    struct fault fault = {0};
    ck_assert(profile_merge(into, &from, "m", &fault));
    profile_free(&from);
}

static const char *const slices[] = {FIRST, SECOND, THIRD};
static const unsigned orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/* Checks what the process with three slices has.  */
static void assert_process(const struct heapdata *heap)
{
    datafile_assert_amount(&heap->sums[HEAPDATA_TOTAL], 3, 630);
    datafile_assert_amount(&heap->sums[HEAPDATA_FREED], 2, 530);
    datafile_assert_amount(&heap->sums[HEAPDATA_LIVE], 1, 100);
    datafile_assert_amount(&heap->sums[HEAPDATA_PEAK], 3, 630);
    datafile_assert_amount(&heap->sums[HEAPDATA_TEMPORARY], 1, 500);
    datafile_assert_amount(&at(heap, 0x10)[HEAPDATA_TOTAL], 1, 100);
    datafile_assert_amount(&at(heap, 0x10)[HEAPDATA_LIVE], 1, 100);
    datafile_assert_amount(&at(heap, 0x10)[HEAPDATA_PEAK], 1, 100);
    datafile_assert_amount(&at(heap, 0x20)[HEAPDATA_FREED], 1, 30);
    datafile_assert_amount(&at(heap, 0x20)[HEAPDATA_LIVE], 0, 0);
    datafile_assert_amount(&at(heap, 0x20)[HEAPDATA_PEAK], 1, 30);
    datafile_assert_amount(&at(heap, 0x30)[HEAPDATA_LIVE], 0, 0);
    datafile_assert_amount(&at(heap, 0x30)[HEAPDATA_PEAK], 1, 500);
    ck_assert_uint_eq(heap->unknown, 3);
    ck_assert_uint_eq(heap->unkept, 6);
    ck_assert_uint_eq(heap->peak_time, 20);
    ck_assert(heap->ended);
}

START_TEST(slices_of_a_process)
{
    struct profile into = {0};
    for (unsigned i = 0; i < 3; i++)
        add(&into, slices[orders[_i][i]]);
    assert_process(&into.heap);
    profile_free(&into);
}
END_TEST

/* Sums of slices are added to others as those of one run are.  */
START_TEST(sums_of_slices)
{
    struct profile into = {0}, some = {0}, others = {0};
    struct fault fault = {0};
    add(&some, slices[orders[_i][0]]);
    add(&others, slices[orders[_i][1]]);
    add(&others, slices[orders[_i][2]]);
    ck_assert(profile_merge(&into, &some, "m", &fault));
    ck_assert(profile_merge(&into, &others, "m", &fault));
    assert_process(&into.heap);
    profile_free(&some);
    profile_free(&others);
    profile_free(&into);
}
END_TEST

START_TEST(some_of_the_slices)
{
    struct profile into = {0};
    add(&into, FIRST);
    ck_assert(!into.heap.ended);
    add(&into, THIRD);
    datafile_assert_amount(&into.heap.sums[HEAPDATA_TOTAL], 2, 130);
    datafile_assert_amount(&into.heap.sums[HEAPDATA_LIVE], 1, 100);
    /* Both had the same peak; the first one had it first.  */
    datafile_assert_amount(&into.heap.sums[HEAPDATA_PEAK], 2, 130);
    ck_assert_uint_eq(into.heap.peak_time, 10);
    ck_assert(into.heap.ended);
    profile_free(&into);
}
END_TEST

START_TEST(several_processes)
{
    struct profile into = {0};
    add(&into, SECOND);
    add(&into, ALONE);
    add(&into, FIRST);
    add(&into, THIRD);
    datafile_assert_amount(&into.heap.sums[HEAPDATA_TOTAL], 4, 637);
    datafile_assert_amount(&into.heap.sums[HEAPDATA_LIVE], 2, 107);
    datafile_assert_amount(&into.heap.sums[HEAPDATA_PEAK], 4, 637);
    datafile_assert_amount(&at(&into.heap, 0x10)[HEAPDATA_LIVE], 2, 107);
    ck_assert_uint_eq(into.heap.peak_time, 0);
    ck_assert(!into.heap.ended);
    profile_free(&into);
}
END_TEST

START_TEST(a_run_without_slices)
{
    struct profile into = {0};
    add(&into, SECOND);
    add(&into, WHOLE);
    add(&into, THIRD);
    datafile_assert_amount(&into.heap.sums[HEAPDATA_LIVE], 2, 109);
    datafile_assert_amount(&into.heap.sums[HEAPDATA_PEAK], 4, 639);
    ck_assert_uint_eq(into.heap.peak_time, 0);
    ck_assert(into.heap.ended);
    profile_free(&into);
}
END_TEST

/* Samples of two slices: blocks of 999 bytes, of which 4 in all stand for
   4 / (1 - exp(-1)) = 6.33.  */
#define SAMPLED(number, sums, line)                                                      \
    HEAD "heap sampled 1000 running\nslice " number " 70 1234\n" sums REST               \
         "stacks 2\n0 0 0x10 0 0 0 0 0 0 0 0\n1 size 999 " line "\nend\n"
#define SAMPLED_FIRST                                                                    \
    SAMPLED("0", "allocated 4 3996\nfreed 0 0\nalive 4 3996\npeak 4 3996 3\n",           \
            "4 3996 0 0 4 3996 4 3996")
#define SAMPLED_SECOND                                                                   \
    SAMPLED("1", "allocated 0 0\nfreed 3 2997\nalive 1 999\npeak 4 3996 5\n",            \
            "0 0 3 2997 1 999 4 3996\n"                                                  \
            "life 0 0 0 0 0 0 3 2997 0 0 0 0 0 0 0 0 0 0 0 0")

START_TEST(samples_of_slices)
{
    struct profile into = {0};
    add(&into, _i ? SAMPLED_SECOND : SAMPLED_FIRST);
    add(&into, _i ? SAMPLED_FIRST : SAMPLED_SECOND);
    const struct heapdata *heap = &into.heap;
    ck_assert_uint_eq(heap->sized_count, 1);
    ck_assert_uint_eq(heap->sized[0].blocks[HEAPDATA_TOTAL], 4);
    ck_assert_uint_eq(heap->sized[0].blocks[HEAPDATA_FREED], 3);
    ck_assert_uint_eq(heap->sized[0].blocks[HEAPDATA_LIVE], 1);
    ck_assert_uint_eq(heap->sized[0].blocks[HEAPDATA_PEAK], 4);
    datafile_assert_amount(&heap->sums[HEAPDATA_TOTAL], 6, 6321);
    datafile_assert_amount(&heap->sums[HEAPDATA_PEAK], 6, 6321);
    /* Of 6 blocks 4 were freed: 3 samples stand for 4.75, and for 4741 bytes.  */
    datafile_assert_amount(&heap->sums[HEAPDATA_LIVE], 2, 1580);
    ck_assert_uint_eq(heap->peak_time, 3);
    profile_free(&into);
}
END_TEST

static const struct {
    const char *from, *to, *what;
} damages[] = {
    {"mlmon 9", "mlmon 8", "line 17: it should be `allocated' and two numbers"},
    {"slice 0 70 1234", "slice 0 70", "line 17: it should be `slice' and three numbers"},
    {"slice 0 70 1234", "slice 0 70 1234 1",
     "line 17: it should be `slice' and three numbers"},
    {"slice 0", "slice -1", "line 17: it should be `slice' and three numbers"},
    {"slice 0 70 1234\n", "slice 0 70 1234\nslice 0 70 1234\n",
     "line 18: it should be `allocated' and two numbers"},
};

START_TEST(damage)
{
    datafile_assert_damage(FIRST, damages[_i].from, damages[_i].to, FAULT_GARBLED,
                           damages[_i].what);
}
END_TEST

START_TEST(cut_off_anywhere)
{
    datafile_assert_cut_off(FIRST);
    datafile_assert_cut_off(SAMPLED_SECOND);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("heapslices");
    TCase *tests = tcase_create("heapslices");
    tcase_add_loop_test(tests, slices_of_a_process, 0, sizeof orders / sizeof *orders);
    tcase_add_loop_test(tests, sums_of_slices, 0, sizeof orders / sizeof *orders);
    tcase_add_test(tests, some_of_the_slices);
    tcase_add_test(tests, several_processes);
    tcase_add_test(tests, a_run_without_slices);
    tcase_add_loop_test(tests, samples_of_slices, 0, 2);
    tcase_add_loop_test(tests, damage, 0, sizeof damages / sizeof *damages);
    tcase_add_test(tests, cut_off_anywhere);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
