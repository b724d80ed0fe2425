/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Regions: what is read of them, what each kind of damage is called, the histogram's
   buckets, and merging.  */

#define _GNU_SOURCE
#include "runner.h"
#include "testsuite/unit/datafile.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                             \
    "ccprof mlmon 4\nkind region\ncpu 0\nwall 0\nthreads 1\nwaits 0\n"                   \
    "module 0 6a2f 0x0 p\nlabel 0 load\nthread 1 p\n"
#define REGIONS                                                                          \
    "regions tsc 1000000000 20500 45000\n"                                               \
    "region 0 - 0x0 load\nregion 1 - 0x0 parse\\nit\nregion 2 0 0x1151 load\n"
/* Calls of 1000 and 3000 ticks, in the second one of 500, in this one of a function.  */
#define PATH_0                                                                           \
    "path - 0 2 4000 0 3500 10000000 1 2 1000 1000 3000 2500 1 1 7 1 1000 1000 1000\n"   \
    "bucket 63 1\nbucket 75 1\n"
#define PATH_1                                                                           \
    "path 0 1 1 500 0 490 250000 1 1 500 500 500 - 0 0 0 0 0 0 0\nbucket 55 1\n"
#define PATH_2 "path 1 2 1 10 5 10 100 0 0 10 10 10 - 0 0 0 1 10 10 10\nbucket 10 1\n"
#define EVENTS "events 400\nevent 1 0 100 1000\nevent 0 1 3500 500\n"
#define WHOLE  HEAD REGIONS PATH_0 PATH_1 PATH_2 EVENTS "end\n"

START_TEST(a_whole_file)
{
    struct profile profile = datafile_parse(WHOLE);
    const struct regions *regions = &profile.regions;
    ck_assert_int_eq(profile.kind, CCPROF_KIND_REGION);
    ck_assert_int_eq(regions->clock, REGIONS_TSC);
    ck_assert_uint_eq(regions->hz, 1000000000);
    ck_assert_uint_eq(regions->inner, 20500);
    ck_assert_uint_eq(regions->outer, 45000);
    ck_assert_uint_eq(regions->region_count, 3);
    ck_assert_str_eq(intern_text(&regions->names, regions->regions[1].name), "parse\nit");
    ck_assert_uint_eq(regions->regions[0].module, REGIONS_NAMED);
    ck_assert_uint_eq(regions->regions[2].name, regions->regions[0].name);
    ck_assert_uint_eq(regions->regions[2].module, 0);
    ck_assert_uint_eq(regions->regions[2].address, 0x1151);
    ck_assert_uint_eq(regions->path_count, 3);
    ck_assert_uint_eq(regions->paths[0].parent, REGIONS_NO_PATH);
    ck_assert_uint_eq(regions->paths[2].parent, 1);
    ck_assert_uint_eq(regions->paths[2].region, 2);
    ck_assert_uint_eq(regions->event_least, 400);
    ck_assert_uint_eq(regions->event_count, 2);
    ck_assert_uint_eq(regions->events[0].thread, 1);
    ck_assert_uint_eq(regions->events[1].path, 1);
    ck_assert_uint_eq(regions->events[1].start, 3500);
    ck_assert_uint_eq(regions->events[1].length, 500);
    profile_free(&profile);
}
END_TEST

START_TEST(all_numbers_of_a_path)
{
    struct profile profile = datafile_parse(WHOLE);
    const struct regions_sums *sums = &profile.regions.paths[0].sums;
    ck_assert_uint_eq(sums->count, 2);
    ck_assert_uint_eq(sums->total, 4000);
    ck_assert_uint_eq(sums->nested, 0);
    ck_assert_uint_eq(sums->self, 3500);
    ck_assert(sums->squares == 10000000);
    ck_assert_uint_eq(sums->direct, 1);
    ck_assert_uint_eq(sums->inside, 2);
    ck_assert_uint_eq(sums->first, 1000);
    ck_assert_uint_eq(sums->min, 1000);
    ck_assert_uint_eq(sums->max, 3000);
    ck_assert(sums->has_cpu);
    ck_assert_uint_eq(sums->cpu, 2500);
    ck_assert_uint_eq(sums->left, 1);
    ck_assert_uint_eq(sums->open, 1);
    ck_assert_uint_eq(sums->spent, 7);
    ck_assert_uint_eq(sums->cold, 1);
    ck_assert_uint_eq(sums->cold_total, 1000);
    ck_assert_uint_eq(sums->cold_min, 1000);
    ck_assert_uint_eq(sums->cold_max, 1000);
    ck_assert_uint_eq(sums->buckets[63], 1);
    ck_assert_uint_eq(sums->buckets[75], 1);
    ck_assert(!profile.regions.paths[1].sums.has_cpu);
    profile_free(&profile);
}
END_TEST

/* Beside samples, without times; and regions that nobody entered.  */
START_TEST(beside_others)
{
    struct profile profile = datafile_parse(
        "ccprof mlmon 4\nkind time,count\nengine task-clock\nclock cpu\nrate 100\n"
        "stack yes\ncpu 0\nwall 0\nthreads 1\nwaits 0\nsamples 5\nlost 0\n"
        "elsewhere 0\nmodule 0 6a2f 0x0 p\ncounts 1\n0 0 0x1 5\ncounters\n"
        "0 0x4000 3\n" REGIONS PATH_0 "end\n");
    ck_assert_uint_eq(profile.nodes[0].count, 5);
    ck_assert_uint_eq(profile.counters[0].count, 3);
    ck_assert_uint_eq(profile.regions.path_count, 1);
    profile_free(&profile);
    profile = datafile_parse(HEAD "end\n");
    ck_assert_int_eq(profile.regions.clock, REGIONS_NONE);
    profile_free(&profile);
}
END_TEST

START_TEST(squares_of_128_bits)
{
    struct profile profile = datafile_parse(
        HEAD REGIONS "path - 0 1 18446744073709551615 0 0 "
                     "340282366920938463463374607431768211455 0 0 "
                     "18446744073709551615 18446744073709551615 "
                     "18446744073709551615 - 0 0 0 0 0 0 0\nbucket 335 1\nend\n");
    ck_assert((uint64_t)(profile.regions.paths[0].sums.squares >> 64) == UINT64_MAX);
    ck_assert((uint64_t)profile.regions.paths[0].sums.squares == UINT64_MAX);
    profile_free(&profile);
}
END_TEST

/* WHOLE with TO in place of FROM, which it has; to be freed.  */
#define HEADING "it should be `regions' and a clock, its speed, two costs"
#define REGION  "it should be `region' and a number, a module, an address, a name"
#define PATH    "it should be `path' and 19 numbers"
#define BUCKET  "it should be `bucket' and two numbers"
#define AGREE   "the numbers of a path contradict each other"
#define EVENT   "it should be `event' and four numbers"

static const struct {
    const char *from, *to, *what;
} damages[] = {
    {"mlmon 4", "mlmon 3", "line 2: a kind of profile that this mlprof does not know"},
    {"kind region", "kind count,region",
     "line 2: a kind of profile that this mlprof does not know"},
    {"kind region", "kind regions",
     "line 2: a kind of profile that this mlprof does not know"},
    {"module 0 6a2f 0x0 p\nlabel", "label",
     "line 9: the executable's `module' line is missing"},
    {"regions tsc", "regions hpet", "line 10: " HEADING},
    {"1000000000 20500", "0 20500", "line 10: a speed of the clock out of range"},
    {"1000000000 20500", "1000000000001 20500",
     "line 10: a speed of the clock out of range"},
    {"45000\n", "45000 1\n", "line 10: " HEADING},
    {" 45000\n", "\n", "line 10: " HEADING},
    {"region 0", "region 1", "line 11: the regions are not numbered in order"},
    {"region 0 -", "region 0 1", "line 11: " REGION},
    {"0 - 0x0 load", "0 - 0x1 load", "line 11: " REGION},
    {"0 - 0x0 load", "0 - 0x0", "line 11: " REGION},
    {"parse\\nit", "parse\\tit", "line 12: " REGION},
    {"parse\\nit", "load", "line 12: the same region again"},
    {"path - 0", "path 0 0", "line 14: no path has this number"},
    {"path - 0", "path  0", "line 14: no path has this number"},
    {"path - 0", "path - 3", "line 14: no region has this number"},
    {"10000000 1 2", "340282366920938463463374607431768211456 1 2", "line 14: " PATH},
    {"10000000 1 2", "-1 1 2", "line 14: " PATH},
    {"1000 1000\nbucket 63", "1000\nbucket 63", "line 14: " PATH},
    {"1000 1000\nbucket 63", "1000 1000 1\nbucket 63", "line 14: " PATH},
    {"2 4000 0 3500", "2 18446744073709551616 0 3500", "line 14: " PATH},
    {"4000 0 3500", "4000 4001 3500", "line 14: " AGREE},
    {"4000 0 3500", "4000 0 4001", "line 14: " AGREE},
    {"1 2 1000 1000 3000", "3 2 1000 1000 3000", "line 14: " AGREE},
    {"1 2 1000 1000 3000", "1 2 999 1000 3000", "line 14: " AGREE},
    {"1 2 1000 1000 3000", "1 2 3001 1000 3000", "line 14: " AGREE},
    {"2500 1 1 7", "2500 3 1 7", "line 14: " AGREE},
    {"2500 1 1 7", "2500 1 0 7", "line 14: " AGREE},
    {"7 1 1000 1000 1000", "7 3 1000 1000 1000", "line 14: " AGREE},
    {"7 1 1000 1000 1000", "7 0 1000 1000 1000", "line 14: " AGREE},
    {"7 1 1000 1000 1000", "7 1 4001 1000 1000", "line 14: " AGREE},
    {"7 1 1000 1000 1000", "7 1 1000 1001 1000", "line 14: " AGREE},
    {"path - 0 2 4000 0 3500", "path - 0 0 4000 0 3500", "line 14: " AGREE},
    {"bucket 63 1", "bucket 63 0", "line 15: " BUCKET},
    {"bucket 63 1", "bucket 63", "line 15: " BUCKET},
    {"bucket 63 1", "bucket 76 1",
     "line 16: the buckets do not ascend, or there is no such"},
    {"bucket 75 1", "bucket 336 1",
     "line 16: the buckets do not ascend, or there is no such"},
    {"bucket 75 1", "bucket 75 2",
     "line 17: the buckets before it do not add up to the calls"},
    {"bucket 75 1", "bucket 75 18446744073709551615",
     "line 16: the counts add up to more than 64 bits"},
    {"bucket 63 1\nbucket 75 1\n", "",
     "line 15: the buckets before it do not add up to the calls"},
    {"region 2 0 0x1151 load\n", "region 2 0 0x1151 load\nbucket 1 1\n",
     "line 14: a bucket of no path"},
    {"path 0 1", "region 3 - 0x0 more\npath 0 1", "line 17: a region behind the paths"},
    {"path 0 1", "path 0 0", "line 17: a path with a region twice"},
    {"path 1 2 1 10 5", "path 0 1 1 10 5", "line 19: the same path again"},
    {"path 1 2 1 10 5 10 100", "path 1 2 1 18446744073709551615 5 10 100",
     "line 24: the paths before it add up to too much"},
    {"events 400", "events", "line 21: it should be `end'"},
    {"events 400", "events x", "line 21: it should be `events' and a number"},
    {"event 1 0 100", "event 1 3 100", "line 22: no path has this number"},
    {"event 1 0 100", "event 1 0", "line 22: " EVENT},
    {"100 1000", "18446744073709551000 1000", "line 22: a call that ends beyond 64 bits"},
    {"events 400\n", "", "line 21: it should be `end'"},
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
}
END_TEST

/* As the page has them: up to 16 of their own, then 8 parts of each doubling.  */
START_TEST(buckets)
{
    for (uint64_t ticks = 0; ticks < 16; ticks++)
        ck_assert_uint_eq(regions_bucket(ticks), ticks);
    for (unsigned n = 0; n < 40; n++)
        for (unsigned k = 0; k < 8; k++) {
            size_t bucket = 16 + 8 * n + k;
            uint64_t least = (8 + (uint64_t)k) << (n + 1);
            uint64_t end = (9 + (uint64_t)k) << (n + 1);
            ck_assert_uint_eq(regions_bucket_least(bucket), least);
            ck_assert_uint_eq(regions_bucket_end(bucket), bucket == 335 ? 0 : end);
            ck_assert_uint_eq(regions_bucket(least), bucket);
            ck_assert_uint_eq(regions_bucket(end - 1), bucket);
        }
    ck_assert_uint_eq(regions_bucket(UINT64_MAX), 335);
    ck_assert_uint_eq(CCPROF_BUCKETS, 336);
}
END_TEST

static void merge(struct profile *into, struct profile *from)
{
    struct fault fault = {0};
    if (!profile_merge(into, from, "file", &fault))
        ck_abort_msg("%s", fault.text);
    profile_free(from);
}

/* The order of regions and paths is another one, and the speed but the same anew.  */
#define OTHER                                                                            \
    HEAD "regions tsc 1000000999 21500 47000\nregion 0 0 0x1151 load\n"                  \
         "region 1 - 0x0 load\nregion 2 - 0x0 new\n"                                     \
         "path - 1 2 60 0 60 1850 3 3 25 25 35 100 0 2 9 1 35 35 35\n"                   \
         "bucket 20 1\nbucket 25 1\n"                                                    \
         "path 0 2 0 0 0 0 0 0 0 0 0 0 - 0 1 6 0 0 0 0\nend\n"

START_TEST(merging_adds)
{
    struct profile sum = datafile_parse(WHOLE), other = datafile_parse(OTHER);
    merge(&sum, &other);
    const struct regions *regions = &sum.regions;
    const struct regions_sums *sums = &regions->paths[0].sums;
    ck_assert_uint_eq(regions->region_count, 4);
    ck_assert_uint_eq(regions->path_count, 4);
    ck_assert_uint_eq(regions->paths[3].parent, 0);
    ck_assert_uint_eq(regions->paths[3].sums.open, 1);
    ck_assert_uint_eq(sums->count, 4);
    ck_assert_uint_eq(sums->total, 4060);
    ck_assert(sums->squares == 10001850);
    ck_assert_uint_eq(sums->self, 3560);
    ck_assert_uint_eq(sums->direct, 4);
    ck_assert_uint_eq(sums->inside, 5);
    ck_assert_uint_eq(sums->first, 1000);
    ck_assert_uint_eq(sums->min, 25);
    ck_assert_uint_eq(sums->max, 3000);
    ck_assert(sums->has_cpu);
    ck_assert_uint_eq(sums->cpu, 2600);
    ck_assert_uint_eq(sums->left, 1);
    ck_assert_uint_eq(sums->open, 3);
    ck_assert_uint_eq(sums->spent, 16);
    ck_assert_uint_eq(sums->cold, 2);
    ck_assert_uint_eq(sums->cold_total, 1035);
    ck_assert_uint_eq(sums->cold_min, 35);
    ck_assert_uint_eq(sums->cold_max, 1000);
    ck_assert_uint_eq(sums->buckets[20], 1);
    ck_assert_uint_eq(sums->buckets[75], 1);
    ck_assert_uint_eq(regions->hz, 1000000000);
    /* By calls: (20500 * 4 + 21500 * 2) / 6, (45000 * 4 + 47000 * 2) / 6.  */
    ck_assert_uint_eq(regions->inner, 20833);
    ck_assert_uint_eq(regions->outer, 45666);
    ck_assert(!regions->has_events);
    ck_assert_uint_eq(regions->event_count, 0);
    profile_free(&sum);
}
END_TEST

/* Half as fast: all times are twice as many ticks, squares four times.  */
START_TEST(another_speed_is_converted)
{
    struct profile sum = datafile_parse(WHOLE), other = datafile_parse(WHOLE);
    other.regions.hz = 500000000;
    merge(&sum, &other);
    const struct regions_sums *sums = &sum.regions.paths[0].sums;
    ck_assert_uint_eq(sums->count, 4);
    ck_assert_uint_eq(sums->total, 12000);
    ck_assert_uint_eq(sums->self, 10500);
    ck_assert(sums->squares == 50000000);
    ck_assert_uint_eq(sums->max, 6000);
    ck_assert_uint_eq(sums->spent, 21);
    ck_assert_uint_eq(sums->cold_total, 3000);
    ck_assert_uint_eq(sums->cold_max, 2000);
    ck_assert_uint_eq(sums->cpu, 5000);
    ck_assert_uint_eq(sums->buckets[63], 1);
    ck_assert_uint_eq(sums->buckets[71], 1);
    ck_assert_uint_eq(sums->buckets[75], 1);
    ck_assert_uint_eq(sums->buckets[83], 1);
    ck_assert_uint_eq(sum.regions.inner, 30750);
    profile_free(&sum);
}
END_TEST

/* Monotonic ticks are no TSC's, however near their speeds are; the first call is the
   first file's that has one.  */
START_TEST(another_clock_is_converted)
{
    struct profile sum = datafile_parse(OTHER), other = datafile_parse(WHOLE);
    other.regions.clock = REGIONS_MONOTONIC;
    other.regions.hz = 2000000000;
    merge(&sum, &other);
    ck_assert_uint_eq(sum.regions.paths[0].sums.total, 2060);
    ck_assert_uint_eq(sum.regions.paths[0].sums.first, 25);
    ck_assert_int_eq(sum.regions.clock, REGIONS_TSC);
    profile_free(&sum);
}
END_TEST

/* One half of a sum that has 64 bits; files of a run that entered none; other kinds.  */
START_TEST(what_is_not_merged)
{
    struct fault fault = {0};
    struct profile sum = datafile_parse(WHOLE), other = datafile_parse(WHOLE);
    other.regions.paths[2].sums.total = UINT64_MAX - 5000;
    ck_assert(!profile_merge(&sum, &other, "file", &fault));
    ck_assert_str_eq(fault.text, "file: its numbers and those before it add up to more "
                                 "than 64 bits");
    fault_clear(&fault);
    profile_free(&other);
    other = datafile_parse(HEAD "end\n");
    merge(&sum, &other);
    ck_assert_uint_eq(sum.regions.paths[0].sums.count, 2);
    other = (struct profile){.kind = CCPROF_KIND_TIME, .samples = 1, .rate = 100};
    ck_assert(!profile_merge(&sum, &other, "file", &fault));
    fault_clear(&fault);
    profile_free(&sum);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("regions");
    TCase *tests = tcase_create("regions");
    tcase_add_test(tests, a_whole_file);
    tcase_add_test(tests, all_numbers_of_a_path);
    tcase_add_test(tests, beside_others);
    tcase_add_test(tests, squares_of_128_bits);
    tcase_add_loop_test(tests, damage, 0, sizeof damages / sizeof *damages);
    tcase_add_test(tests, cut_off_anywhere);
    tcase_add_test(tests, buckets);
    tcase_add_test(tests, merging_adds);
    tcase_add_test(tests, another_speed_is_converted);
    tcase_add_test(tests, another_clock_is_converted);
    tcase_add_test(tests, what_is_not_merged);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
