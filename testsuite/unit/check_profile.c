/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Profiles: the empty one, merging, and profiles that may not be merged.  */

#include "mlprof/profile/profile.h"
#include "runner.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define ROOT PROFILE_NO_NODE

/* One run: 100 Hz, executable p with build-id "aa", a library at PATH with ID.  */
static struct profile run(uint64_t samples, const char *path, const char *id)
{
    struct profile profile = {.kind = CCPROF_KIND_TIME,
                              .engines = PROFILE_TASK_CLOCK,
                              .clock = PROFILE_CPU,
                              .rate = 100,
                              .stack = true,
                              .threads = 2,
                              .most_threads = 2,
                              .waits = 3,
                              .cpu = samples * 10,
                              .wall = samples * 11,
                              .samples = samples,
                              .lost = 1};
    profile_add_module(&profile, "p", "aa");
    profile_add_module(&profile, path, id);
    return profile;
}

static void merge(struct profile *into, const struct profile *from)
{
    struct fault fault = {0};
    if (!profile_merge(into, from, "file", &fault))
        ck_abort_msg("%s", fault.text);
}

static void assert_apart(struct profile *into, const struct profile *from,
                         enum fault_kind kind, const char *what)
{
    struct fault fault = {0};
    struct profile before = *into;
    ck_assert(!profile_merge(into, from, "file", &fault));
    ck_assert_str_eq(fault.text, what);
    ck_assert_int_eq(fault.kind, kind);
    ck_assert_mem_eq(into, &before, sizeof before);
    fault_clear(&fault);
}

static uint64_t count_at(struct profile *profile, uint32_t parent, uint32_t module,
                         uint64_t address)
{
    uint32_t number = profile_add(profile, parent, module, address, 0);
    return profile->nodes[number].count;
}

START_TEST(points_are_added)
{
    struct profile profile = {0};
    uint32_t f = profile_add(&profile, ROOT, 0, 0x10, 2);
    uint32_t g = profile_add(&profile, f, 0, 0x10, 3);
    ck_assert_uint_ne(f, g);
    ck_assert_uint_eq(profile_add(&profile, ROOT, 0, 0x10, 5), f);
    ck_assert_uint_eq(profile_add(&profile, f, 0, 0x10, 7), g);
    ck_assert_uint_ne(profile_add(&profile, ROOT, 1, 0x10, 1), f);
    ck_assert_uint_eq(profile.nodes[f].count, 7);
    ck_assert_uint_eq(profile.nodes[g].count, 10);
    ck_assert_uint_eq(profile.node_count, 3);
    profile_free(&profile);
}
END_TEST

START_TEST(the_empty_one_changes_nothing)
{
    struct profile empty = {0}, left = {0}, one = run(10, "l", NULL);
    profile_add(&one, ROOT, 1, 0x20, 9);
    merge(&left, &one);
    merge(&one, &empty);
    for (int i = 0; i < 2; i++) {
        struct profile *profile = i ? &one : &left;
        ck_assert_int_eq(profile->kind, CCPROF_KIND_TIME);
        ck_assert_uint_eq(profile->rate, 100);
        ck_assert_uint_eq(profile->samples, 10);
        ck_assert_uint_eq(profile->lost, 1);
        ck_assert_uint_eq(profile->cpu, 100);
        ck_assert_uint_eq(profile->wall, 110);
        ck_assert_uint_eq(profile->module_count, 2);
        ck_assert_str_eq(profile->modules[1].path, "l");
        ck_assert_uint_eq(profile->node_count, 1);
        ck_assert_uint_eq(count_at(profile, ROOT, 1, 0x20), 9);
    }
    profile_free(&left);
    profile_free(&one);
}
END_TEST

/* The files of one run are what one file would have been.  */
START_TEST(parts_of_a_run)
{
    struct profile rest = run(10, "l", NULL), part = run(7, "l", NULL), sum = {0};
    part.lost = part.cpu = part.wall = part.threads = part.waits = 0;
    part.most_threads = 0;
    part.moved = -7;
    rest.moved = 7;
    merge(&sum, &part);
    ck_assert_int_eq(sum.moved, -7);
    merge(&sum, &rest);
    ck_assert_int_eq(sum.moved, 0);
    ck_assert_uint_eq(sum.samples, 17);
    ck_assert_uint_eq(sum.cpu, 100);
    ck_assert_uint_eq(sum.threads, 2);
    ck_assert_uint_eq(sum.most_threads, 2);
    /* All of it went elsewhere.  */
    rest.samples = rest.lost = 0;
    merge(&part, &rest);
    ck_assert_int_eq(part.moved, 0);
    ck_assert_uint_eq(part.cpu, 100);
    rest.moved = INT64_MAX;
    merge(&sum, &rest);
    assert_apart(&sum, &rest, FAULT_GARBLED,
                 "file: its numbers and those before it add up to more than 64 bits");
    profile_free(&sum);
    profile_free(&rest);
    profile_free(&part);
}
END_TEST

static uint32_t add_thread_node(struct profile *profile, uint64_t number,
                                const char *name)
{
    return profile_add(profile, ROOT, PROFILE_THREAD,
                       profile_add_thread(profile, number, name), 0);
}

/* Threads are one if number and name are equal.  */
START_TEST(threads_of_several_runs)
{
    struct profile one = run(10, "l", NULL), two = run(20, "l", NULL);
    profile_add(&one, add_thread_node(&one, 1, "p"), 0, 0x10, 3);
    profile_add(&one, add_thread_node(&one, 2, "w"), 0, 0x10, 7);
    profile_add(&two, add_thread_node(&two, 2, "v"), 0, 0x10, 4);
    profile_add(&two, add_thread_node(&two, 12, "w"), 0, 0x10, 5);
    profile_add(&two, add_thread_node(&two, 1, "p"), 0, 0x10, 11);
    merge(&one, &two);
    ck_assert_uint_eq(one.thread_names.count, 4);
    ck_assert_uint_eq(count_at(&one, add_thread_node(&one, 1, "p"), 0, 0x10), 14);
    ck_assert_uint_eq(count_at(&one, add_thread_node(&one, 2, "w"), 0, 0x10), 7);
    ck_assert_uint_eq(count_at(&one, add_thread_node(&one, 2, "v"), 0, 0x10), 4);
    ck_assert_uint_eq(count_at(&one, add_thread_node(&one, 12, "w"), 0, 0x10), 5);
    profile_free(&one);
    profile_free(&two);
}
END_TEST

static uint32_t add_label_node(struct profile *profile, uint32_t parent, uint64_t label)
{
    return profile_add(profile, parent, PROFILE_LABEL, label, 0);
}

/* Times of one run stay as long as nothing else is added.  */
START_TEST(times)
{
    struct profile sum = {0}, timed = run(10, "/l", NULL), other = run(20, "/l", NULL);
    struct profile empty = {0};
    struct fault fault = {0};
    timed.times.width = 5;
    shares_add(&timed.times.shares, profile_add(&timed, ROOT, 0, 1, 9), 3, 9);
    profile_add(&other, ROOT, 0, 1, 19);
    ck_assert(profile_fold(&sum, &timed, "file", &fault));
    ck_assert_uint_eq(sum.times.shares.count, 1);
    merge(&sum, &empty);
    ck_assert_uint_eq(sum.times.shares.count, 1);
    merge(&sum, &other);
    ck_assert_uint_eq(sum.times.shares.count, 0);
    ck_assert_uint_eq(sum.times.width, 0);
    ck_assert_uint_eq(count_at(&sum, ROOT, 0, 1), 28);
    profile_free(&sum);
    profile_free(&other);
}
END_TEST

START_TEST(labels_are_joined_by_their_names)
{
    struct profile one = run(10, "l", NULL), two = run(20, "l", NULL);
    profile_add_label(&one, "load");
    profile_add_label(&one, "store");
    profile_add_label(&two, "store");
    profile_add_label(&two, "new");
    profile_add(&one, add_label_node(&one, ROOT, 1), 0, 0x10, 9);
    uint32_t store = add_label_node(&two, ROOT, 0);
    profile_add(&two, store, 0, 0x10, 4);
    profile_add(&two, add_label_node(&two, store, 1), 0, 0x10, 15);
    merge(&one, &two);
    ck_assert_uint_eq(one.label_count, 3);
    ck_assert_str_eq(one.labels[0], "load");
    ck_assert_str_eq(one.labels[1], "store");
    ck_assert_str_eq(one.labels[2], "new");
    store = add_label_node(&one, ROOT, 1);
    ck_assert_uint_eq(count_at(&one, store, 0, 0x10), 13);
    ck_assert_uint_eq(count_at(&one, add_label_node(&one, store, 2), 0, 0x10), 15);
    profile_free(&one);
    profile_free(&two);
}
END_TEST

/* A run that ended before its first sample fits to any rate.  */
START_TEST(a_run_without_samples)
{
    struct profile sum = {0}, idle = run(0, "l", NULL), one = run(10, "k", NULL);
    idle.lost = 0;
    idle.rate = 1000;
    idle.cpu = 5;
    merge(&sum, &idle);
    ck_assert_uint_eq(sum.rate, 1000);
    merge(&sum, &one);
    merge(&sum, &idle);
    ck_assert_uint_eq(sum.rate, 100);
    ck_assert_uint_eq(sum.cpu, 110);
    ck_assert_uint_eq(sum.samples, 10);
    ck_assert_uint_eq(sum.module_count, 2);
    ck_assert_str_eq(sum.modules[1].path, "k");
    profile_free(&sum);
    profile_free(&idle);
    profile_free(&one);
}
END_TEST

START_TEST(commands)
{
    struct profile sum = {0}, one = run(1, "q", NULL), two = run(1, "q", NULL);
    intern_put(&one.commands, "p 1");
    intern_put(&two.commands, "p 2");
    merge(&sum, &one);
    merge(&sum, &one);
    ck_assert_uint_eq(sum.commands.count, 1);
    merge(&sum, &two);
    merge(&sum, &one);
    ck_assert_uint_eq(sum.commands.count, 2);
    ck_assert_str_eq(intern_text(&sum.commands, 0), "p 1");
    ck_assert_str_eq(intern_text(&sum.commands, 1), "p 2");
    profile_free(&sum);
    profile_free(&one);
    profile_free(&two);
}
END_TEST

START_TEST(sums)
{
    struct profile one = run(10, "l", NULL), two = run(20, "k", "bb");
    profile_add_module(&two, "l", NULL);
    uint32_t f = profile_add(&one, ROOT, 0, 0x10, 4);
    profile_add(&one, f, 1, 0x20, 5);
    profile_add(&two, ROOT, 1, 0x20, 6);
    f = profile_add(&two, ROOT, 0, 0x10, 7);
    profile_add(&two, f, 2, 0x20, 1);
    profile_add(&two, ROOT, PROFILE_NO_MODULE, 0x20, 5);
    merge(&one, &two);
    ck_assert_uint_eq(one.samples, 30);
    ck_assert_uint_eq(one.lost, 2);
    ck_assert_uint_eq(one.cpu, 300);
    ck_assert_uint_eq(one.wall, 330);
    /* The second's l is the first's module 1; its k is a third one.  */
    ck_assert_uint_eq(one.module_count, 3);
    ck_assert_str_eq(one.modules[2].path, "k");
    ck_assert_str_eq(one.modules[2].build_id, "bb");
    ck_assert_uint_eq(one.node_count, 4);
    ck_assert_uint_eq(count_at(&one, ROOT, 0, 0x10), 11);
    ck_assert_uint_eq(count_at(&one, 0, 1, 0x20), 6);
    ck_assert_uint_eq(count_at(&one, ROOT, 2, 0x20), 6);
    ck_assert_uint_eq(count_at(&one, ROOT, PROFILE_NO_MODULE, 0x20), 5);
    ck_assert_uint_eq(one.node_count, 4);
    profile_free(&one);
    profile_free(&two);
}
END_TEST

/* Engines are remembered; stacks are there if all have them.  */
START_TEST(manners)
{
    struct profile sum = {0}, idle = run(0, "l", NULL), one = run(10, "l", NULL),
                   two = run(10, "l", NULL), three = run(10, "l", NULL);
    idle.lost = 0;
    idle.stack = false;
    idle.clock = PROFILE_WALL;
    idle.engines = PROFILE_WALL_TIMER;
    two.engines = PROFILE_THREAD_TIMER;
    three.stack = false;
    merge(&sum, &idle);
    ck_assert(!sum.stack);
    ck_assert_int_eq(sum.clock, PROFILE_WALL);
    merge(&sum, &one);
    merge(&sum, &two);
    merge(&sum, &idle);
    ck_assert(sum.stack);
    ck_assert_int_eq(sum.clock, PROFILE_CPU);
    ck_assert_uint_eq(sum.engines, PROFILE_TASK_CLOCK | PROFILE_THREAD_TIMER);
    ck_assert_uint_eq(sum.threads, 8);
    ck_assert_uint_eq(sum.waits, 12);
    merge(&sum, &three);
    merge(&sum, &one);
    ck_assert(!sum.stack);
    two.waits = UINT64_MAX;
    assert_apart(&sum, &two, FAULT_GARBLED,
                 "file: its numbers and those before it add up to more than 64 bits");
    two.waits = 0;
    two.threads = UINT64_MAX;
    assert_apart(&sum, &two, FAULT_GARBLED,
                 "file: its numbers and those before it add up to more than 64 bits");
    profile_free(&sum);
    profile_free(&idle);
    profile_free(&one);
    profile_free(&two);
    profile_free(&three);
}
END_TEST

START_TEST(folds)
{
    struct fault fault = {0};
    struct profile sum = {0};
    for (int i = 1; i <= 3; i++) {
        struct profile one = run(10, "l", NULL);
        profile_add(&one, ROOT, 0, 0x10, 9);
        ck_assert(profile_fold(&sum, &one, "file", &fault));
        ck_assert_int_eq(one.kind, 0);
        ck_assert_ptr_null(one.nodes);
        ck_assert_uint_eq(count_at(&sum, ROOT, 0, 0x10), 9 * i);
        ck_assert_uint_eq(sum.samples, 10 * i);
    }
    struct profile two = run(10, "l", NULL);
    two.rate = 50;
    ck_assert(!profile_fold(&sum, &two, "file", &fault));
    ck_assert_int_eq(fault.kind, FAULT_MISMATCH);
    ck_assert_uint_eq(sum.samples, 30);
    ck_assert_ptr_null(two.modules);
    fault_clear(&fault);
    profile_free(&sum);
}
END_TEST

START_TEST(the_executable_may_lie_elsewhere)
{
    struct profile one = run(10, "l", NULL), two = run(10, "p", "cc");
    free(two.modules[0].path);
    two.modules[0].path = strdup("elsewhere/p");
    profile_add(&one, ROOT, 0, 0x10, 9);
    profile_add(&two, ROOT, 0, 0x10, 9);
    merge(&one, &two);
    ck_assert_uint_eq(one.module_count, 3);
    ck_assert_uint_eq(count_at(&one, ROOT, 0, 0x10), 18);
    profile_free(&one);
    profile_free(&two);
}
END_TEST

START_TEST(a_module_that_is_loaded_twice)
{
    struct profile one = run(10, "l", NULL), two = run(10, "l", NULL);
    profile_add_module(&two, "l", NULL);
    profile_add(&one, ROOT, 1, 0x10, 9);
    profile_add(&two, ROOT, 1, 0x10, 4);
    profile_add(&two, ROOT, 2, 0x10, 5);
    merge(&one, &two);
    ck_assert_uint_eq(one.module_count, 2);
    ck_assert_uint_eq(count_at(&one, ROOT, 1, 0x10), 18);
    profile_free(&one);
    profile_free(&two);
}
END_TEST

START_TEST(builds_of_a_shared_object)
{
    struct profile one = run(10, "l", "bb"), two = run(10, "l", "cc");
    struct profile none = run(10, "l", NULL);
    profile_add(&one, ROOT, 1, 0x20, 3);
    profile_add(&two, ROOT, 1, 0x20, 4);
    profile_add(&none, ROOT, 1, 0x20, 5);
    merge(&one, &two);
    merge(&one, &none);
    merge(&one, &two);
    ck_assert_uint_eq(one.module_count, 4);
    ck_assert_str_eq(one.modules[2].build_id, "cc");
    ck_assert_ptr_null(one.modules[3].build_id);
    ck_assert_uint_eq(count_at(&one, ROOT, 1, 0x20), 3);
    ck_assert_uint_eq(count_at(&one, ROOT, 2, 0x20), 8);
    ck_assert_uint_eq(count_at(&one, ROOT, 3, 0x20), 5);
    profile_free(&one);
    profile_free(&two);
    profile_free(&none);
}
END_TEST

START_TEST(what_does_not_belong_together)
{
    struct profile one = run(10, "l", "bb"), two = run(10, "l", "bb");
    two.rate = 50;
    assert_apart(&one, &two, FAULT_MISMATCH,
                 "file: measured with rate 50, the data before it with rate 100");
    two.rate = 100;
    two.clock = PROFILE_WALL;
    assert_apart(&one, &two, FAULT_MISMATCH,
                 "file: measured by time on the clock, the data before it by CPU time");
    two.clock = PROFILE_CPU;
    two.kind = CCPROF_KIND_TIME + 1;
    assert_apart(&one, &two, FAULT_MISMATCH,
                 "file: measured with another kind of profile than the data before it");
    two.kind = CCPROF_KIND_TIME;
    two.modules[0].build_id[0] = 'b';
    assert_apart(&one, &two, FAULT_MISMATCH,
                 "file: measured with another build of p than the data before it");
    two.modules[0].build_id[0] = 'a';
    two.samples = UINT64_MAX;
    assert_apart(&one, &two, FAULT_GARBLED,
                 "file: its numbers and those before it add up to more than 64 bits");
    two.samples = 10;
    merge(&one, &two);
    profile_free(&one);
    profile_free(&two);
}
END_TEST

/* A profile that has counted, in its shared object, COUNT at an address, CALLS of a
   target, and in a counter of which the largest is kept MOST.  */
static struct profile counted(uint64_t count, uint64_t calls, uint64_t most)
{
    struct profile_target target = {.site_module = 1, .site = 0x30, .address = 0x40};
    struct profile profile = run(0, "lib", "bb");
    profile_add_counter(&profile, 1, 0x10, count);
    profile_add_counter(&profile, 1, 0x20, 99);
    profile_keep_most(&profile, 1, 0x20, most);
    profile_add_target(&profile, &target, calls);
    profile.modules[1].runs = 1;
    profile.modules[1].peaks = count;
    return profile;
}

static void assert_counted(const struct profile *profile, uint64_t count, uint64_t calls,
                           uint64_t most)
{
    ck_assert_uint_eq(profile_count_of(profile, 1, 0x10), count);
    ck_assert_uint_eq(profile_count_of(profile, 1, 0x20), most);
    ck_assert_uint_eq(profile->target_count, 1);
    ck_assert_uint_eq(profile->targets[0].count, calls);
    ck_assert_uint_eq(profile->modules[1].peaks, count);
}

START_TEST(a_run_that_counts_several_times)
{
    struct profile sum = {0}, one = counted(5, 7, 1000), other = counted(20, 0, 1001);
    profile_multiply(&one, 3);
    assert_counted(&one, 15, 21, 1000);
    ck_assert_uint_eq(one.counter_total, 36);
    merge(&sum, &one);
    merge(&sum, &other);
    assert_counted(&sum, 35, 21, 1001);
    ck_assert_uint_eq(sum.counter_total, 56);
    ck_assert_uint_eq(sum.modules[1].runs, 4);
    profile_free(&one);
    profile_free(&other);
    profile_free(&sum);
}
END_TEST

/* Neither products nor sums wrap around.  */
START_TEST(a_weight_that_is_too_large)
{
    struct profile sum = {0}, one = counted(1ull << 62, 1, 1000), other;
    profile_multiply(&one, 5);
    assert_counted(&one, UINT64_MAX, 5, 1000);
    ck_assert_uint_eq(one.counter_total, UINT64_MAX);
    merge(&sum, &one);
    merge(&sum, &one);
    assert_counted(&sum, UINT64_MAX, 10, 1000);
    other = counted(9, UINT64_MAX - 9, 2000);
    merge(&sum, &other);
    assert_counted(&sum, UINT64_MAX, UINT64_MAX, 2000);
    ck_assert_uint_eq(sum.counter_total, UINT64_MAX);
    profile_free(&other);
    profile_free(&one);
    profile_free(&sum);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("profile");
    TCase *tests = tcase_create("profile");
    tcase_add_test(tests, points_are_added);
    tcase_add_test(tests, the_empty_one_changes_nothing);
    tcase_add_test(tests, a_run_without_samples);
    tcase_add_test(tests, parts_of_a_run);
    tcase_add_test(tests, threads_of_several_runs);
    tcase_add_test(tests, times);
    tcase_add_test(tests, labels_are_joined_by_their_names);
    tcase_add_test(tests, commands);
    tcase_add_test(tests, sums);
    tcase_add_test(tests, manners);
    tcase_add_test(tests, folds);
    tcase_add_test(tests, the_executable_may_lie_elsewhere);
    tcase_add_test(tests, a_module_that_is_loaded_twice);
    tcase_add_test(tests, builds_of_a_shared_object);
    tcase_add_test(tests, what_does_not_belong_together);
    tcase_add_test(tests, a_run_that_counts_several_times);
    tcase_add_test(tests, a_weight_that_is_too_large);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
