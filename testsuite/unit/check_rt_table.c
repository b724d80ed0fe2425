/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/table.c rt/log.c rt/quiet.c */
/* The table of samples and its log against a plain list of all that was added.  */

#define _GNU_SOURCE
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rt/table.h"

static struct ccprof_table *table;
static struct ccprof_log *log_;

static void setup(void)
{
    table = calloc(1, sizeof *table);
    log_ = calloc(1, sizeof *log_);
    ck_assert_ptr_nonnull(table);
    ck_assert_ptr_nonnull(log_);
    ccprof_log_place(".");
}

static void teardown(void)
{
    ccprof_log_close(log_);
    free(log_);
    free(table);
}

static void add(uint64_t pc, uint64_t weight)
{
    ccprof_table_add(table, log_, pc, weight);
}

/* Everything in table and log, by address.  */
struct model {
    uint64_t size; /* addresses are 0 to size - 1 */
    uint64_t *count;
    uint64_t sum, points;
};

static int collect(void *context, const struct ccprof_point *point)
{
    struct model *model = context;
    ck_assert_uint_lt(point->pc, model->size);
    ck_assert_uint_gt(point->count, 0);
    model->count[point->pc] += point->count;
    model->sum += point->count;
    model->points++;
    return 0;
}

static struct model all(uint64_t size)
{
    struct model model = {size, calloc(size, sizeof(uint64_t)), 0, 0};
    ccprof_table_freeze(table);
    ccprof_log_freeze(log_);
    ck_assert_int_eq(ccprof_table_each(table, collect, &model), 0);
    ck_assert_int_eq(ccprof_log_each(log_, collect, &model), 0);
    return model;
}

START_TEST(test_one)
{
    for (int i = 0; i < 10; i++)
        add(7, 1);
    add(7, 5);
    struct model got = all(8);
    ck_assert_uint_eq(got.points, 1);
    ck_assert_uint_eq(got.count[7], 15);
    ck_assert_uint_eq(table->samples, 15);
    ck_assert_uint_eq(table->lost, 0);
    ck_assert(!log_->open);
    free(got.count);
}
END_TEST

START_TEST(test_address_0)
{
    add(0, 3);
    add(0, 1);
    struct model got = all(1);
    ck_assert_uint_eq(got.points, 1);
    ck_assert_uint_eq(got.count[0], 4);
    free(got.count);
}
END_TEST

/* Random samples, among ever more addresses: from all in the table to nearly all
   evicted.  */
START_TEST(test_random)
{
    const uint64_t sizes[] = {100, 5000, 16384, 50000, 300000};
    const uint64_t size = sizes[_i];
    uint64_t *want = calloc(size, sizeof *want), sum = 0;
    unsigned seed = 1 + (unsigned)_i;

    for (int i = 0; i < 400000; i++) {
        /* Low addresses are much more frequent.  */
        double r = rand_r(&seed) / (RAND_MAX + 1.0);
        uint64_t pc = (uint64_t)(r * r * r * (double)size);
        uint64_t weight = 1 + (uint64_t)(rand_r(&seed) % 3);
        add(pc, weight);
        want[pc] += weight;
        sum += weight;
    }
    struct model got = all(size);
    ck_assert_uint_eq(table->samples, sum);
    ck_assert_uint_eq(table->lost, 0);
    ck_assert_uint_eq(got.sum, sum);
    ck_assert_int_eq(memcmp(got.count, want, size * sizeof *want), 0);
    if (size > 100000)
        ck_assert_uint_gt(log_->filed, 10 * CCPROF_LOG_SIZE);
    free(got.count);
    free(want);
}
END_TEST

/* What is sampled often stays in the table, whatever else comes.  */
START_TEST(test_frequent_stays)
{
    for (uint64_t i = 0; i < 200000; i++) {
        add(1, 1);
        add(2 + i, 1);
    }
    uint64_t in_table = 0;
    for (int bucket = 0; bucket < CCPROF_TABLE_BUCKETS; bucket++)
        for (int way = 0; way < CCPROF_TABLE_WAYS; way++)
            if (table->bucket[bucket][way].pc == 1)
                in_table += table->bucket[bucket][way].count;
    ck_assert_uint_eq(in_table, 200000);
}
END_TEST

/* Only for as long as samples are added: Check itself writes files.  */
static void limited(int what, rlim_t limit, void (*action)(void))
{
    struct rlimit before, now;
    ck_assert_int_eq(getrlimit(what, &before), 0);
    now = before;
    now.rlim_cur = limit;
    ck_assert_int_eq(setrlimit(what, &now), 0);
    action();
    ck_assert_int_eq(setrlimit(what, &before), 0);
}

static void add_many(void)
{
    for (uint64_t i = 0; i < 100000; i++)
        add(i, 1);
}

static void balance(uint64_t least_lost)
{
    struct model got = all(100000);
    ck_assert_uint_eq(table->samples, 100000);
    ck_assert_uint_ge(table->lost, least_lost);
    ck_assert_uint_eq(got.sum + table->lost, table->samples);
    free(got.count);
}

/* The log's file cannot grow beyond a limit: what does not fit is counted, and no
   signal is left behind.  */
START_TEST(test_limit)
{
    /* A whole number of points, and not.  */
    limited(RLIMIT_FSIZE, 100000 + (rlim_t)_i, add_many);
    ck_assert_uint_eq(log_->filed, 100000 / sizeof(struct ccprof_point));
    balance(50000);
}
END_TEST

/* No descriptor is to be had.  */
START_TEST(test_no_file)
{
    limited(RLIMIT_NOFILE, 0, add_many);
    ck_assert(!log_->open);
    balance(80000);
}
END_TEST

/* The program closes all its descriptors, and opens files of its own.  */
START_TEST(test_file_taken)
{
    char name[] = "taken-XXXXXX", byte;
    for (uint64_t i = 0; i < 50000; i++)
        add(i, 1);
    uint64_t filed = log_->filed_sum;
    ck_assert_uint_gt(filed, 0);
    int other = mkstemp(name);
    ck_assert_int_eq(dup2(other, log_->fd), log_->fd);
    for (uint64_t i = 50000; i < 100000; i++)
        add(i, 1);
    ck_assert_int_eq(pread(other, &byte, 1, 0), 0);
    unlink(name);
    balance(filed);
    ck_assert_uint_eq(table->lost, filed);
}
END_TEST

/* ... and no sample comes after it.  */
START_TEST(test_file_taken_late)
{
    struct model got = {100000, calloc(100000, sizeof(uint64_t)), 0, 0};
    add_many();
    close(log_->fd);
    ccprof_table_freeze(table);
    ccprof_log_freeze(log_);
    ck_assert_int_eq(ccprof_log_each(log_, collect, &got), -1);
    ck_assert_int_eq(errno, EBADF);
    ck_assert_uint_eq(got.sum, log_->used);
    free(got.count);
}
END_TEST

/* The file stays out of the program's way and is not passed on.  */
START_TEST(test_descriptor)
{
    int first = dup(0);
    close(first);
    add_many();
    ck_assert(log_->open);
    ck_assert_int_ge(log_->fd, 500);
    ck_assert_int_eq(fcntl(log_->fd, F_GETFD), FD_CLOEXEC);
    int second = dup(0);
    ck_assert_int_eq(second, first);
    close(second);
}
END_TEST

START_TEST(test_frozen)
{
    add(1, 1);
    ccprof_table_freeze(table);
    add(1, 2);
    add(2, 4);
    struct model got = all(3);
    ck_assert_uint_eq(table->samples, 7);
    ck_assert_uint_eq(table->lost, 6);
    ck_assert_uint_eq(got.sum, 1);
    free(got.count);
}
END_TEST

/* Cut off in the middle of an add: the bucket's content is not touched.  */
START_TEST(test_cut_off)
{
    add(1, 10);
    for (int i = 0; i < CCPROF_TABLE_BUCKETS; i++)
        ccprof_spin_try(&table->busy[i]);
    struct model got = all(2);
    ck_assert_uint_eq(got.sum, 0);
    free(got.count);
}
END_TEST

static void *add_thread(void *start)
{
    unsigned seed = *(unsigned *)start;
    for (int i = 0; i < 200000; i++)
        add((uint64_t)rand_r(&seed) % 100000, 1);
    return NULL;
}

START_TEST(test_threads)
{
    pthread_t thread[4];
    unsigned seed[4] = {1, 2, 3, 4};
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, add_thread, &seed[i]), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    struct model got = all(100000);
    ck_assert_uint_eq(table->samples, 800000);
    ck_assert_uint_eq(got.sum + table->lost, 800000);
    free(got.count);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rt table");
    TCase *tests = tcase_create("table");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_one);
    tcase_add_test(tests, test_address_0);
    tcase_add_loop_test(tests, test_random, 0, 5);
    tcase_add_test(tests, test_frequent_stays);
    tcase_add_loop_test(tests, test_limit, 0, 2);
    tcase_add_test(tests, test_no_file);
    tcase_add_test(tests, test_file_taken);
    tcase_add_test(tests, test_file_taken_late);
    tcase_add_test(tests, test_descriptor);
    tcase_add_test(tests, test_frozen);
    tcase_add_test(tests, test_cut_off);
    tcase_add_test(tests, test_threads);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
