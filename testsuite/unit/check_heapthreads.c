/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The heap of threads and phases in a data file: what is read, what becomes of that where
   files are merged, and what damage is called.  */

#define _GNU_SOURCE
#include "runner.h"
#include "testsuite/unit/datafile.h"

#include <check.h>
#include <stdlib.h>

#define HEAD(version, labels)                                                            \
    "ccprof mlmon " version "\nkind time\nengine thread-timer\nclock cpu\nrate 100\n"    \
    "stack yes\ncpu 0\nwall 0\nthreads 1\nwaits 0\nsamples 0\nlost 0\nelsewhere 0\n"     \
    "module 0 6a2f 0x0 prog\nmodule 1 - 0x0 lib\n" labels                                \
    "thread 1 main\nthread 3 worker\n"

#define NOTHING " 0 0 0 0 0 0 0 0\n"

/* Two threads with names, and one that began while the file was written; a phase.  */
#define HEAP(label)                                                                      \
    "counts 0\nheap exact ended\nallocated 10 95\nfreed 1 10\nalive 9 85\npeak 10 95 "   \
    "7\n"                                                                                \
    "unknown 0\nunkept 0\nmemory 1\nstacks 8\n"                                          \
    "0 thread 0x1" NOTHING "1 0 0x10 2 20 1 10 1 10 2 20\n"                              \
    "1 label " label NOTHING "2 0 0x10 3 30 0 0 3 30 3 30\n"                             \
    "0 thread 0x3" NOTHING "1 0 0x10 4 40 0 0 4 40 4 40\n"                               \
    "0 thread 0x9" NOTHING "1 1 0x20 1 5 0 0 1 5 1 5\nend\n"
#define THREADS HEAD("9", "label 0 loading\n") HEAP("0x0")
#define OTHERS  HEAD("9", "label 0 else\nlabel 1 loading\n") HEAP("0x1")

/* A node, by its parent, and what it has allocated.  */
static void assert_node(const struct profile *profile, uint32_t number, uint32_t parent,
                        uint32_t module, uint64_t address, uint64_t blocks)
{
    const struct heapdata_node *node = &profile->heap.nodes[number];
    ck_assert_uint_eq(node->parent, parent);
    ck_assert_uint_eq(node->module, module);
    ck_assert_uint_eq(node->address, address);
    ck_assert_uint_eq(node->of[HEAPDATA_TOTAL].blocks, blocks);
}

static void assert_thread(const struct profile *profile, uint32_t number,
                          const char *name)
{
    uint64_t thread = profile->heap.nodes[number].address;
    ck_assert_uint_eq(profile->heap.nodes[number].module, PROFILE_THREAD);
    ck_assert_str_eq(intern_text(&profile->thread_names, (uint32_t)thread), name);
}

/* The heap of so many such files.  */
static void assert_heap(const struct profile *profile, uint64_t files)
{
    ck_assert_uint_eq(profile->heap.node_count, 8);
    assert_thread(profile, 0, "1 main");
    assert_node(profile, 1, 0, 0, 0x10, 2 * files);
    assert_node(profile, 2, 0, PROFILE_LABEL, 0, 0);
    ck_assert_str_eq(profile->labels[0], "loading");
    assert_node(profile, 3, 2, 0, 0x10, 3 * files);
    assert_thread(profile, 4, "3 worker");
    assert_node(profile, 5, 4, 0, 0x10, 4 * files);
    assert_thread(profile, 6, "9 ?");
    assert_node(profile, 7, 6, 1, 0x20, files);
}

START_TEST(threads_and_phases)
{
    struct profile profile = datafile_parse(THREADS);

    assert_heap(&profile, 1);
    profile_free(&profile);
}
END_TEST

/* Phases are equal if their names are.  */
START_TEST(merged)
{
    struct profile into = {0}, first = datafile_parse(THREADS),
                   second = datafile_parse(OTHERS);
    struct fault fault = {0};

    ck_assert(profile_merge(&into, &first, "first", &fault));
    ck_assert(profile_merge(&into, &second, "second", &fault));
    assert_heap(&into, 2);
    profile_free(&into);
    profile_free(&first);
    profile_free(&second);
}
END_TEST

/* A phase that began while the file was written.  */
START_TEST(a_phase_without_a_name)
{
    struct profile profile = datafile_parse(HEAD("9", "label 0 loading\n") HEAP("0x2"));

    ck_assert_uint_eq(profile.heap.nodes[2].address, 2);
    ck_assert_uint_eq(profile.label_count, 3);
    ck_assert_str_eq(profile.labels[2], "?");
    profile_free(&profile);
}
END_TEST

#define WRONG "no label or thread has this number, or it cannot stand here"

static const struct {
    const char *from, *to, *why;
} damages[] = {
    {"0 thread 0x3" NOTHING, "0 thread 0x3 1 1 0 0 1 1 1 1\n", "line 33: " WRONG},
    {"0 thread 0x3", "1 thread 0x3", "line 33: " WRONG},
    {"1 label 0x0", "1 label 0x40", "line 31: " WRONG},
    {"1 label 0x0", "2 label 0x0", "line 31: " WRONG},
    {"1 label 0x0", "1 phase 0x0",
     "line 31: it should be a depth, a module, an address, and eight numbers"},
};

START_TEST(damage)
{
    datafile_assert_damage(THREADS, damages[_i].from, damages[_i].to, FAULT_GARBLED,
                           damages[_i].why);
}
END_TEST

/* Version 8 has no such points.  */
START_TEST(an_older_version)
{
    datafile_assert_damage(HEAD("9", "label 0 loading\n") HEAP("0x0"), "mlmon 9",
                           "mlmon 8", FAULT_GARBLED,
                           "line 29: it should be a depth, a module, an address, and "
                           "eight numbers");
}
END_TEST

START_TEST(cut_off_anywhere)
{
    datafile_assert_cut_off(THREADS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("heapthreads");
    TCase *tests = tcase_create("heapthreads");
    tcase_add_test(tests, threads_and_phases);
    tcase_add_test(tests, merged);
    tcase_add_test(tests, a_phase_without_a_name);
    tcase_add_loop_test(tests, damage, 0, sizeof damages / sizeof *damages);
    tcase_add_test(tests, an_older_version);
    tcase_add_test(tests, cut_off_anywhere);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
