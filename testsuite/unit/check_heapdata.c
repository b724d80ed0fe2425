/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The heap in a data file: what is read, how two are added, what damage is called.  */

#define _GNU_SOURCE
#include "mlprof/profile/heappoints.h"
#include "runner.h"
#include "testsuite/unit/datafile.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                             \
    "ccprof mlmon 7\nkind time\nengine thread-timer\nclock cpu\nrate 100\nstack yes\n"   \
    "cpu 0\nwall 0\nthreads 1\nwaits 0\nsamples 0\nlost 0\nelsewhere 0\n"
#define MODULES "module 0 6a2f 0x0 prog\nmodule 1 - 0x0 lib\n"
#define SUMS                                                                             \
    "heap exact ended\nallocated 12 1200\nfreed 10 1080\nalive 2 120\n"                  \
    "peak 7 700 1500000000\nunknown 3\nunkept 4\nmemory 4096\n"
/* The first point is there twice.  */
#define POINTS                                                                           \
    "stacks 6\n0 0 0x10 0 0 0 0 0 0 0 0\n1 0 0x20 4 400 4 400 0 0 1 100\n"               \
    "1 1 0x20 5 500 4 480 1 20 3 300\n0 - 0x0 0 0 0 0 0 0 0 0\n"                         \
    "1 0 0x30 1 100 0 0 1 100 1 100\n0 0 0x10 2 200 2 200 0 0 2 200\n"
#define WHOLE HEAD MODULES "counts 0\n" SUMS POINTS "end\n"

static const struct heapdata_node *node_at(const struct profile *profile, uint32_t parent,
                                           uint32_t module, uint64_t address)
{
    uint32_t number;
    ck_assert(index_get(&profile->heap.index, parent, module, address, &number));
    return &profile->heap.nodes[number];
}

/* What a point has in a bin.  */
static uint64_t in_bin(const struct profile *points, uint32_t owner, uint32_t bin)
{
    const struct shares *shares = &points->times.shares;
    for (size_t i = 0; i < shares->count; i++)
        if (shares->entries[i].owner == owner && shares->entries[i].bin == bin)
            return shares->entries[i].count;
    return 0;
}

START_TEST(points_of_a_heap)
{
    struct profile profile = datafile_parse(WHOLE), points;
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
    datafile_assert_amount(&amounts[HEAPDATA_PEAK], 3, 0);
    datafile_assert_amount(&amounts[HEAPDATA_LIVE], 0, 7);

    ck_assert(!heappoints_alone(&profile));
    profile.kind = CCPROF_KIND_REGION;
    ck_assert(heappoints_alone(&profile));
    profile.heap.measured = false;
    ck_assert(!heappoints_alone(&profile));
    profile_free(&profile);
}
END_TEST

START_TEST(a_whole_heap)
{
    struct profile profile = datafile_parse(WHOLE);
    const struct heapdata *heap = &profile.heap;
    ck_assert(heap->measured);
    ck_assert(heap->ended);
    datafile_assert_amount(&heap->sums[HEAPDATA_TOTAL], 12, 1200);
    datafile_assert_amount(&heap->sums[HEAPDATA_FREED], 10, 1080);
    datafile_assert_amount(&heap->sums[HEAPDATA_LIVE], 2, 120);
    datafile_assert_amount(&heap->sums[HEAPDATA_PEAK], 7, 700);
    ck_assert_uint_eq(heap->peak_time, 1500000000);
    ck_assert_uint_eq(heap->unknown, 3);
    ck_assert_uint_eq(heap->unkept, 4);
    ck_assert_uint_eq(heap->memory, 4096);
    ck_assert_uint_eq(heap->node_count, 5);

    const struct heapdata_node *node = node_at(&profile, PROFILE_NO_NODE, 0, 0x10);
    datafile_assert_amount(&node->of[HEAPDATA_TOTAL], 2, 200);
    datafile_assert_amount(&node->of[HEAPDATA_PEAK], 2, 200);
    node = node_at(&profile, 0, 1, 0x20);
    datafile_assert_amount(&node->of[HEAPDATA_TOTAL], 5, 500);
    datafile_assert_amount(&node->of[HEAPDATA_FREED], 4, 480);
    datafile_assert_amount(&node->of[HEAPDATA_LIVE], 1, 20);
    datafile_assert_amount(&node->of[HEAPDATA_PEAK], 3, 300);
    node = node_at(&profile, 3, 0, 0x30);
    ck_assert_uint_eq(heap->nodes[3].module, PROFILE_NO_MODULE);
    datafile_assert_amount(&node->of[HEAPDATA_LIVE], 1, 100);
    profile_free(&profile);
}
END_TEST

START_TEST(no_heap)
{
    struct profile profile = datafile_parse(HEAD MODULES "counts 0\nend\n");
    ck_assert(!profile.heap.measured);
    profile_free(&profile);
}
END_TEST

/* The other file has the modules the other way round, and had not ended.  */
#define OTHER                                                                            \
    HEAD "module 0 6a2f 0x0 prog\nmodule 1 - 0x0 other\nmodule 2 - 0x0 lib\ncounts 0\n"  \
         "heap exact running\nallocated 3 30\nfreed 1 10\nalive 2 20\npeak 2 20 9\n"     \
         "unknown 1\nunkept 0\nmemory 8192\nstacks 3\n0 0 0x10 0 0 0 0 0 0 0 0\n"        \
         "1 2 0x20 2 20 1 10 1 10 1 10\n1 1 0x20 1 10 0 0 1 10 1 10\nend\n"

START_TEST(two_are_added)
{
    struct profile into = datafile_parse(WHOLE), from = datafile_parse(OTHER);
    struct fault fault = {0};
    ck_assert(profile_merge(&into, &from, "other", &fault));
    const struct heapdata *heap = &into.heap;
    ck_assert(!heap->ended);
    datafile_assert_amount(&heap->sums[HEAPDATA_TOTAL], 15, 1230);
    datafile_assert_amount(&heap->sums[HEAPDATA_LIVE], 4, 140);
    datafile_assert_amount(&heap->sums[HEAPDATA_PEAK], 9, 720);
    ck_assert_uint_eq(heap->peak_time, 0);
    ck_assert_uint_eq(heap->unknown, 4);
    ck_assert_uint_eq(heap->memory, 8192); /* of the other one */
    ck_assert_uint_eq(heap->node_count, 6);
    datafile_assert_amount(&node_at(&into, 0, 1, 0x20)->of[HEAPDATA_TOTAL], 7, 520);
    datafile_assert_amount(&node_at(&into, 0, 2, 0x20)->of[HEAPDATA_LIVE], 1, 10);
    profile_free(&from);

    /* A file without samples is no empty one if it has a heap; one without is.  */
    struct profile first = {0}, empty = datafile_parse(HEAD MODULES "counts 0\nend\n");
    ck_assert(profile_merge(&first, &empty, "empty", &fault));
    ck_assert(profile_merge(&first, &into, "heap", &fault));
    ck_assert(profile_merge(&first, &empty, "empty", &fault));
    ck_assert(first.heap.measured);
    datafile_assert_amount(&first.heap.sums[HEAPDATA_TOTAL], 15, 1230);
    profile_free(&empty);
    profile_free(&first);
    profile_free(&into);
}
END_TEST

/* Samples of one block in 1000 bytes.  A block of 9 bytes has the probability
   1 - exp(-0.01), or 0.00995017, and stands for 100.5008 blocks and 904.5075 bytes; one
   of 999 bytes has 1 - exp(-1), or 0.632121, and stands for 1.581977 blocks
   and 1580.395 bytes; one of 99999 bytes for itself.  */
/* Of the two blocks of 9 bytes that were freed one was temporary, and both had lived for
   less than a second; another one is what realloc has made.  */
#define LIFE "life 1 9 0 0 1 9 0 0 0 0 2 18 0 0 0 0 0 0 0 0\n"
#define SAMPLED_HEAD                                                                     \
    "ccprof mlmon 8\nkind time\nengine thread-timer\nclock cpu\nrate 100\nstack yes\n"   \
    "cpu 0\nwall 0\nthreads 1\nwaits 0\nsamples 0\nlost 0\nelsewhere 0\n"
#define SAMPLED                                                                          \
    SAMPLED_HEAD MODULES                                                                 \
        "counts 0\nheap sampled 1000 ended\nallocated 9 104031\nfreed 3 1017\n"          \
        "alive 6 103014\npeak 4 102006 77\nunknown 0\nunkept 0\nmemory 4096\nstacks 5\n" \
        "0 0 0x10 0 0 0 0 0 0 0 0\n1 size 9 4 36 2 18 2 18 1 9\n" LIFE                   \
        "1 size 999 4 3996 1 999 3 2997 2 1998\n"                                        \
        "1 1 0x20 0 0 0 0 0 0 0 0\n2 size 99999 1 99999 0 0 1 99999 1 99999\nend\n"

START_TEST(a_sampled_heap)
{
    struct profile profile = datafile_parse(SAMPLED);
    const struct heapdata *heap = &profile.heap;
    struct statistics_doubt doubts[2] = {0};

    ck_assert(heap->measured);
    ck_assert_uint_eq(heap->sample, 1000);
    ck_assert_uint_eq(heap->node_count, 2);
    ck_assert_uint_eq(heap->sized_count, 3);
    /* 4 * 100.5008 + 4 * 1.581977 is 408.33, and so on: what one is rounded down by the
       next one has.  */
    datafile_assert_amount(&heap->nodes[0].of[HEAPDATA_TOTAL], 402 + 6, 3618 + 6321);
    datafile_assert_amount(&heap->nodes[0].of[HEAPDATA_FREED], 201 + 1, 1809 + 1580);
    datafile_assert_amount(&heap->nodes[0].of[HEAPDATA_LIVE], 201 + 5, 1809 + 4741);
    datafile_assert_amount(&heap->nodes[0].of[HEAPDATA_PEAK], 100 + 3, 904 + 3160);
    ck_assert(heap->lives);
    datafile_assert_amount(&heap->nodes[0].of[HEAPDATA_TEMPORARY], 100, 904);
    datafile_assert_amount(&heap->nodes[0].of[HEAPDATA_AGAIN], 100, 904);
    datafile_assert_amount(&heap->nodes[0].of[HEAPDATA_FOREIGN], 0, 0);
    datafile_assert_amount(&heap->nodes[0].of[HEAPDATA_LIVED + 2], 201, 1809);
    datafile_assert_amount(&heap->sums[HEAPDATA_LIVED + 2], 201, 1809);
    datafile_assert_amount(&heap->nodes[1].of[HEAPDATA_TOTAL], 1, 99999);
    datafile_assert_amount(&heap->nodes[1].of[HEAPDATA_FREED], 0, 0);
    datafile_assert_amount(&heap->sums[HEAPDATA_TOTAL], 409, 109938);
    datafile_assert_amount(&heap->sums[HEAPDATA_LIVE], 207, 106549);
    /* Three blocks of 9 bytes, which is one in 100.5.  */
    heapdata_doubt(doubts, 1000, 9, 3);
    ck_assert_double_eq_tol(doubts[0].unseen, 3 * 99.50083, 0.001);
    ck_assert_double_eq_tol(doubts[0].variance, 3 * 99.50083 * 100.50083, 0.1);
    ck_assert_double_eq_tol(doubts[1].unseen, 9 * 3 * 99.50083, 0.01);
    ck_assert_double_eq_tol(doubts[1].variance, 81 * 3 * 99.50083 * 100.50083, 10);
    profile_free(&profile);
}
END_TEST

/* A file of each block that tells what became of them, and one that does not.  */
#define LIVES                                                                            \
    SAMPLED_HEAD MODULES                                                                 \
        "counts 0\nheap exact ended\nallocated 5 50\nfreed 4 40\nalive 1 10\n"           \
        "peak 2 20 7\nunknown 0\nunkept 0\nmemory 1\nstacks 1\n0 0 0x10 5 50 4 40 1 10 " \
        "2 20\n"                                                                         \
        "life 3 30 1 10 2 20 3 30 0 0 0 0 0 0 0 0 0 0 1 10\nend\n"

START_TEST(lives_are_added)
{
    struct profile into = {0}, from = datafile_parse(LIVES),
                   older = datafile_parse(WHOLE);
    struct fault fault = {0};

    ck_assert(profile_merge(&into, &from, "first", &fault));
    ck_assert(profile_merge(&into, &from, "second", &fault));
    ck_assert(into.heap.lives);
    datafile_assert_amount(&into.heap.sums[HEAPDATA_TOTAL], 10, 100);
    datafile_assert_amount(&into.heap.sums[HEAPDATA_TEMPORARY], 6, 60);
    datafile_assert_amount(&into.heap.sums[HEAPDATA_FOREIGN], 2, 20);
    datafile_assert_amount(&into.heap.sums[HEAPDATA_AGAIN], 4, 40);
    datafile_assert_amount(&into.heap.nodes[0].of[HEAPDATA_LIVED], 6, 60);
    datafile_assert_amount(&into.heap.nodes[0].of[HEAPDATA_LIVED + 6], 2, 20);
    ck_assert(!older.heap.lives);
    ck_assert(profile_merge(&into, &older, "older", &fault));
    ck_assert(!into.heap.lives);
    profile_free(&older);
    profile_free(&from);
    profile_free(&into);
}
END_TEST

START_TEST(samples_are_added)
{
    struct profile into = datafile_parse(SAMPLED), from = datafile_parse(SAMPLED),
                   exact = datafile_parse(WHOLE), none = {0};
    struct fault fault = {0};

    ck_assert(profile_merge(&none, &into, "first", &fault));
    ck_assert(profile_merge(&none, &from, "second", &fault));
    ck_assert_uint_eq(none.heap.sample, 1000);
    ck_assert_uint_eq(none.heap.sized_count, 3);
    ck_assert_uint_eq(none.heap.sized[0].blocks[HEAPDATA_TOTAL], 2 * 4);
    datafile_assert_amount(&none.heap.nodes[0].of[HEAPDATA_TOTAL], 2 * 408, 2 * 9939);
    datafile_assert_amount(&none.heap.sums[HEAPDATA_LIVE], 2 * 207, 2 * 106549);
    ck_assert(!profile_merge(&none, &exact, "exact", &fault));
    ck_assert_str_eq(fault.text,
                     "exact: measured the heap block by block, the data before "
                     "it by a sample in 1000 bytes");
    fault_clear(&fault);
    from.heap.sample = 2000;
    ck_assert(!profile_merge(&none, &from, "coarse", &fault));
    ck_assert_str_eq(fault.text,
                     "coarse: measured the heap by a sample in 2000 bytes, the "
                     "data before it by a sample in 1000 bytes");
    fault_clear(&fault);
    profile_free(&none);
    profile_free(&exact);
    profile_free(&from);
    profile_free(&into);
}
END_TEST

/* As below, of the file with samples.  */
static const struct {
    const char *from, *to, *what;
} sampled_damages[] = {
    {"mlmon 8", "mlmon 7",
     "line 17: a way to measure the heap that this mlprof does not know"},
    {"sampled 1000", "sampled", "line 17: it should be `sampled' and a number"},
    {"sampled 1000", "sampled 0", "line 17: a number out of range"},
    {"sampled 1000", "sampled 1125899906842625", "line 17: a number out of range"},
    {"sampled 1000 ended", "sampled 1000",
     "line 17: it should be `sampled' and a number"},
    {"sampled 1000", "exact",
     "line 27: it should be a depth, a module, an address, and eight numbers"},
    {"0 0 0x10 0 0 0 0 0 0 0 0\n1 size 9", "0 size 9",
     "line 26: blocks of a size without a point above them"},
    {"1 size 9 ", "2 size 9 ",
     "line 27: deeper than the point before it by more than one"},
    {"1 size 999 ", "2 size 999 ",
     "line 29: deeper than the point before it by more than one"},
    {"size 9 4 36", "size 9 4 37", "line 27: the bytes are not those of the blocks"},
    {"size 9 4 36", "size 18446744073709551615 4 36",
     "line 27: the bytes are not those of the blocks"},
    {"size 9 4", "size x 4",
     "line 27: it should be a depth, a module, an address, and eight numbers"},
    {"0x20 0 0", "0x20 1 9", "line 30: sampled blocks without a size"},
    {"size 999 4 3996 1", "size 999 4 3996 2",
     "line 29: the bytes are not those of the blocks"},
    {"size 9 4 36 2 18 2 18", "size 9 3 27 2 18 2 18",
     "line 31: the stacks do not add up to the heap's sums"},
    {"life 1 9 0 0 1 9 ", "life 1 9 0 0 1 ",
     "line 28: it should be `life' and twenty numbers"},
    {"life 1 9 0", "life 1 9 x", "line 28: it should be `life' and twenty numbers"},
    {"life 1 9 0", "life 1 72057594037927937 0",
     "line 28: it should be `life' and twenty numbers"},
    {"life 1 9 0", "life 3 9 0", "line 28: more became of blocks than there were"},
    {"life 1 9 0 0 1 9", "life 1 9 3 9 1 9",
     "line 28: more became of blocks than there were"},
    {"life 1 9 0 0 1 9", "life 1 9 0 0 1 37",
     "line 28: more became of blocks than there were"},
    {"2 18 0 0 0 0 0 0 0 0\n", "2 18 1 9 0 0 0 0 0 0\n",
     "line 28: more became of blocks than there were"},
    {"life 1 9 0 0 1 9", "life 1 8 0 0 1 9",
     "line 28: the bytes are not those of the blocks"},
    {"size 9 4 36", "size 9 1000000000000000 9000000000000000",
     "line 28: more blocks or bytes than there can be"},
};

START_TEST(damage_of_samples)
{
    datafile_assert_damage(SAMPLED, sampled_damages[_i].from, sampled_damages[_i].to,
                           FAULT_GARBLED, sampled_damages[_i].what);
}
END_TEST

#define LARGE                                                                            \
    HEAD "module 0 6a2f 0x0 prog\ncounts 0\nheap exact ended\n"                          \
         "allocated 1 72057594037927936\nfreed 1 72057594037927936\nalive 0 0\n"         \
         "peak 0 0 0\nunknown 0\nunkept 0\nmemory 0\nstacks 1\n"                         \
         "0 0 0x10 1 72057594037927936 1 72057594037927936 0 0 0 0\nend\n"

START_TEST(more_than_there_can_be)
{
    struct profile into = datafile_parse(LARGE), from = datafile_parse(OTHER);
    struct fault fault = {0};
    ck_assert(!profile_merge(&into, &from, "other", &fault));
    ck_assert_str_eq(fault.text,
                     "other: its numbers and those before it add up to more than 64 "
                     "bits");
    datafile_assert_amount(&into.heap.sums[HEAPDATA_TOTAL], 1, HEAPDATA_MOST);
    fault_clear(&fault);
    profile_free(&from);
    profile_free(&into);
}
END_TEST

/* FROM of the whole file is replaced by TO.  */
static const struct {
    const char *from, *to, *what;
} damages[] = {
    {"mlmon 7", "mlmon 6", "line 17: it should be `end'"},
    {"heap exact", "heap sampled",
     "line 17: a way to measure the heap that this mlprof does not know"},
    {"exact ended", "exact late", "line 17: it should be `ended' or `running'"},
    {"exact ended", "exact ended ",
     "line 17: there is something behind the heap's heading"},
    {"allocated 12", "allocated", "line 18: it should be `allocated' and two numbers"},
    {"allocated 12", "allocated 13",
     "line 31: the stacks do not add up to the heap's sums"},
    {"allocated 12 1200", "allocated 12 1201",
     "line 31: the stacks do not add up to the heap's sums"},
    {"freed 10", "freed -10", "line 19: it should be `freed' and two numbers"},
    {"alive 2", "alive 72057594037927937",
     "line 20: more blocks or bytes than there can be"},
    {"alive 2 120", "alive 2 100",
     "line 31: the stacks do not add up to the heap's sums"},
    {"peak 7 700 1500000000", "peak 7 700",
     "line 21: it should be `peak' and three numbers"},
    {"unknown 3", "unknown x", "line 22: it should be `unknown' and a number"},
    {"unkept 4", "unkept 72057594037927937", "line 23: a number out of range"},
    {"memory 4096\n", "", "line 24: it should be `memory' and a number"},
    {"stacks 6", "stacks 7",
     "line 32: it should be a depth, a module, an address, and eight numbers"},
    {"stacks 6", "stacks 5", "line 30: the stacks do not add up to the heap's sums"},
    {"stacks 6", "stacks 18446744073709551615",
     "line 32: it should be a depth, a module, an address, and eight numbers"},
    {"1 0 0x20", "2 0 0x20", "line 27: deeper than the point before it by more than one"},
    {"1 1 0x20", "1 2 0x20",
     "line 28: it should be a depth, a module, an address, and eight numbers"},
    {"1 1 0x20", "1 label 0x20",
     "line 28: it should be a depth, a module, an address, and eight numbers"},
    {"1 20 3 300", "1 20 3",
     "line 28: it should be a depth, a module, an address, and eight numbers"},
    {"1 20 3 300", "1 20 3 300 1",
     "line 28: it should be a depth, a module, an address, and eight numbers"},
    {"5 500 4 480", "5 72057594037927937 4 480",
     "line 28: more blocks or bytes than there can be"},
    {"5 500 4 480", "18446744073709551615 500 4 480",
     "line 28: more blocks or bytes than there can be"},
};

START_TEST(damage)
{
    datafile_assert_damage(WHOLE, damages[_i].from, damages[_i].to, FAULT_GARBLED,
                           damages[_i].what);
}
END_TEST

START_TEST(cut_off_anywhere)
{
    datafile_assert_cut_off(WHOLE);
    datafile_assert_cut_off(SAMPLED);
    datafile_assert_cut_off(LIVES);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("heapdata");
    TCase *tests = tcase_create("heapdata");
    tcase_add_test(tests, a_whole_heap);
    tcase_add_test(tests, points_of_a_heap);
    tcase_add_test(tests, no_heap);
    tcase_add_test(tests, two_are_added);
    tcase_add_test(tests, more_than_there_can_be);
    tcase_add_loop_test(tests, damage, 0, sizeof damages / sizeof *damages);
    tcase_add_test(tests, a_sampled_heap);
    tcase_add_test(tests, samples_are_added);
    tcase_add_test(tests, lives_are_added);
    tcase_add_loop_test(tests, damage_of_samples, 0,
                        sizeof sampled_damages / sizeof *sampled_damages);
    tcase_add_test(tests, cut_off_anywhere);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
