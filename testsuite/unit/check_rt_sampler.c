/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/sample/sampler.c rt/sample/threads.c rt/sample/carryover.c */
/* links: rt/sample/interval.c testsuite/unit/sampler_standins.c */
/* What the sampler makes of signals, with engines, a clock and a list of threads that are
   the test's own: which engine it takes, what a signal stands for, whom it arms.  */

#define _GNU_SOURCE
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "rt/unwind/cpu.h"
#include "rt/sample/engine.h"
#include "rt/sample/sampler.h"
#include "rt/os/sys.h"
#include "rt/os/tasks.h"
#include "rt/sample/threads.h"
#include "rt/os/timer.h"
#include "runner.h"
#include "sampler_standins.h"

#define THREADS 6
#define SIGNALS 20000

static int start_with(enum ccprof_settings_clock clock,
                      enum ccprof_settings_engine engine)
{
    static struct ccprof_settings settings;
    settings.rate = 100;
    settings.clock = clock;
    settings.engine = engine;
    return ccprof_sampler_start(&settings);
}

static void start(void)
{
    ck_assert_int_eq(start_with(CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_TASK_CLOCK), 0);
}

/* The weights of signals that come to the calling thread.  */
static uint64_t from_process(int periods)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_code = SI_TIMER;
    info.si_value.sival_ptr = &fake_process;
    info.si_overrun = periods - 1;
    return ccprof_sampler_take(&info, NULL);
}

static uint64_t from_engine(int here, int kernel)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_code = POLL_IN;
    info.si_fd = here;
    info.si_band = kernel;
    return ccprof_sampler_take(&info, NULL);
}

struct other {
    uint64_t (*from)(int);
    int periods;
    uint64_t weight;
};

static void *other_body(void *context)
{
    struct other *other = context;
    other->weight = other->from(other->periods);
    return NULL;
}

/* In a thread that begins for it.  */
static uint64_t in_another(uint64_t (*from)(int), int periods)
{
    struct other other = {from, periods, 0};
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, other_body, &other), 0);
    pthread_join(thread, NULL);
    return other.weight;
}

static const struct {
    enum ccprof_settings_clock clock;
    enum ccprof_settings_engine engine;
    bool refuses[3];
    int process_error;
    const char *name; /* null: it cannot start */
    int armed;
} choices[] = {
    {CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_TASK_CLOCK, {0}, 0, "task-clock", 1},
    {CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_TASK_CLOCK, {1}, 0, "thread-timer", 1},
    {CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_TASK_CLOCK, {1, 1}, 0, "process-timer", 0},
    {CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_TASK_CLOCK, {1, 1}, EAGAIN, NULL, 0},
    {CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_TASK_CLOCK, {0}, EAGAIN, "task-clock", 1},
    {CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_THREAD_TIMER, {0}, 0, "thread-timer", 1},
    {CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_THREAD_TIMER, {0, 1}, 0, "process-timer", 0},
    {CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_PROCESS_TIMER, {0}, 0, "process-timer", 0},
    {CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_PROCESS_TIMER, {0}, EAGAIN, NULL, 0},
    {CCPROF_SETTINGS_WALL, CCPROF_SETTINGS_TASK_CLOCK, {1, 1, 0}, 0, "wall-timer", 1},
    {CCPROF_SETTINGS_WALL, CCPROF_SETTINGS_TASK_CLOCK, {0, 0, 1}, 0, NULL, 0},
};

/* What works of the engines, from the one that was asked for on.  */
START_TEST(test_choice)
{
    int error;

    for (int i = 0; i < 3; i++)
        fake.refuses[i] = choices[_i].refuses[i];
    fake.process_error = choices[_i].process_error;
    error = start_with(choices[_i].clock, choices[_i].engine);
    ck_assert_int_eq(error == 0, choices[_i].name != NULL);
    ck_assert_int_eq(fake.armed, choices[_i].armed);
    if (choices[_i].name)
        ck_assert_str_eq(ccprof_sampler_engine(), choices[_i].name);
    ccprof_sampler_stop();
    ck_assert_int_eq(fake.armed, 0);
    ck_assert_int_eq(fake.process_stops, fake.process_error ? 0 : fake.process_starts);
}
END_TEST

START_TEST(test_is_ours)
{
    const struct {
        int code;
        const void *value;
        bool ours;
    } signals[] = {{SI_TIMER, &fake_process, true}, {SI_TIMER, &fake, false},
                   {POLL_IN, NULL, true},           {POLL_HUP, NULL, true},
                   {SI_USER, &fake_process, false}, {SI_QUEUE, &fake_process, false},
                   {SI_TKILL, NULL, false},         {SI_KERNEL, NULL, false},
                   {SI_SIGIO, NULL, false}};
    siginfo_t info;

    start();
    memset(&info, 0, sizeof info);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        info.si_code = signals[i].code;
        info.si_value.sival_ptr = (void *)signals[i].value;
        ck_assert_int_eq(ccprof_sampler_is_ours(&info), signals[i].ours);
    }
    info.si_code = SI_TIMER;
    info.si_value.sival_ptr = ccprof_threads_find(ccprof_sys_gettid());
    ck_assert(ccprof_sampler_is_ours(&info));
}
END_TEST

/* Without an engine each period is a sample.  */
START_TEST(test_process)
{
    ck_assert_int_eq(start_with(CCPROF_SETTINGS_CPU, CCPROF_SETTINGS_PROCESS_TIMER), 0);
    ck_assert_uint_eq(from_process(1), 1);
    ck_assert_uint_eq(from_process(7), 7);
    ck_assert_uint_eq(in_another(from_process, 3), 3);
}
END_TEST

/* Where an engine samples, the process's timer stands for nothing; but what waits for a
   system call goes to the first one that it finds.  */
START_TEST(test_engine)
{
    start();
    ck_assert_uint_eq(from_engine(1, 0), 1);
    ck_assert_uint_eq(from_engine(0, 0), 0);
    ck_assert_uint_eq(from_process(2), 0);
    ck_assert_uint_eq(from_engine(1, 3), 1);
    ck_assert_uint_eq(from_process(1), 0);
    atomic_store(&fake.at_call, true);
    ck_assert_uint_eq(from_process(1), 3);
    ck_assert_uint_eq(from_process(1), 0);
}
END_TEST

static uint64_t begins_and_from_process(int periods)
{
    ccprof_sampler_thread_begin();
    uint64_t weight = from_process(periods);
    ccprof_sampler_thread_end();
    return weight;
}

/* In a thread that no engine samples the process's timer stands for what is owed: its
   signals come to whom they come.  */
START_TEST(test_owed)
{
    start();
    /* 5 periods, of which the engine has sampled none yet.  */
    ck_assert_uint_eq(from_process(5), 0);
    ck_assert_uint_eq(in_another(from_process, 1), 2);
    ck_assert_uint_eq(in_another(from_process, 1), 2);
    /* 7 - 4 are owed; the engine takes 10.  */
    ck_assert_uint_eq(from_engine(10, 0), 10);
    ck_assert_uint_eq(in_another(from_process, 3), 0);
    ck_assert_uint_eq(in_another(from_process, 4), 0);
    ck_assert_uint_eq(in_another(from_process, 4), 4);
    ck_assert_uint_eq(in_another(from_process, 4), 4);
    /* Samples for the kernel's time count when they are due, and not once more.  */
    ck_assert_uint_eq(from_engine(1, 2), 1);
    ck_assert_uint_eq(in_another(from_process, 3), 0);
    atomic_store(&fake.at_call, true);
    ck_assert_uint_eq(from_process(1), 2);
    ck_assert_uint_eq(in_another(from_process, 1), 2);
    /* A thread that is armed when it begins.  */
    ck_assert_uint_eq(in_another(begins_and_from_process, 2), 0);
    ck_assert_uint_eq(in_another(from_process, 1), 2);
    /* Those that the engine has missed are due there, too, and taken from what is owed.
     */
    atomic_store(&fake.missed, 100);
    ck_assert_uint_eq(from_process(1), 100);
    ck_assert_uint_eq(from_process(1), 0);
    ck_assert_uint_eq(in_another(from_process, 50), 0);
    atomic_store(&fake.at_call, false);
    atomic_store(&fake.missed, 50);
    ck_assert_uint_eq(from_process(1), 0);
    atomic_store(&fake.missed, 51);
    ck_assert_uint_eq(from_process(1), 51);
}
END_TEST

/* The program has closed the descriptor: the thread is armed again, and the signal is a
   sample.  */
START_TEST(test_forgets)
{
    start();
    atomic_store(&fake.forgets, true);
    ck_assert_uint_eq(from_process(2), 2);
    ck_assert_int_eq(fake.armed, 1);
    atomic_store(&fake.forgets, false);
    ck_assert_uint_eq(from_process(2), 0);
}
END_TEST

static uint64_t armed_after(int periods)
{
    pid_t self = ccprof_sys_gettid();

    ck_assert_ptr_null(ccprof_threads_find(self));
    ck_assert_uint_eq(from_process(periods), (uint64_t)periods);
    const struct ccprof_thread *thread = ccprof_threads_find(self);
    ck_assert_ptr_nonnull(thread);
    ck_assert_uint_eq(thread->engine != NULL, atomic_load(&fake.old));
    return from_process(1);
}

static uint64_t grows_old(int periods)
{
    uint64_t weight = from_process(periods);

    ck_assert_ptr_null(ccprof_threads_find(ccprof_sys_gettid())->engine);
    atomic_store(&fake.old, true);
    weight += from_process(periods);
    ck_assert_ptr_nonnull(ccprof_threads_find(ccprof_sys_gettid())->engine);
    return weight;
}

/* A thread that nobody told of has a slot from its first signal on, and an engine as soon
   as it is old enough.  */
START_TEST(test_meets)
{
    start();
    ck_assert_uint_eq(in_another(armed_after, 1), 1);
    ck_assert_int_eq(fake.armed, 1);
    ck_assert_uint_eq(in_another(grows_old, 1), 2);
    ck_assert_int_eq(fake.armed, 2);
    ck_assert_uint_eq(in_another(armed_after, 1), 0);
    ck_assert_int_eq(fake.armed, 3);
    ck_assert_uint_eq(ccprof_sampler_threads(), 4);
}
END_TEST

static _Atomic bool done;

/* Is listed, and gets no signal.  */
static void *sleeps(void *unused)
{
    atomic_store(&fake.listed, ccprof_sys_gettid());
    while (!atomic_load(&done))
        ccprof_sys_sleep(1000000);
    return unused;
}

/* Threads that the kernel lists are looked at ten times in a second, not at each
   signal.  */
START_TEST(test_looks)
{
    pthread_t thread;

    start();
    ck_assert_int_eq(fake.walks, 1);
    atomic_store(&fake.old, true);
    ck_assert_int_eq(pthread_create(&thread, NULL, sleeps, NULL), 0);
    while (atomic_load(&fake.listed) == 0)
        ccprof_sys_yield();
    ck_assert_ptr_null(ccprof_threads_find(fake.listed));
    uint64_t start_at = ccprof_sys_clock(CLOCK_MONOTONIC), now;
    int signals = 0;
    do {
        from_process(1);
        signals++;
        now = ccprof_sys_clock(CLOCK_MONOTONIC);
    } while (now < start_at + 450000000);
    ck_assert_int_ge(fake.walks, 2);
    ck_assert_int_le(fake.walks, 2 + (int)((now - start_at) / 100000000));
    ck_assert_int_gt(signals, 100 * fake.walks);
    ck_assert_int_eq(fake.armed, 2);
    ck_assert_ptr_nonnull(ccprof_threads_find(fake.listed)->engine);
    atomic_store(&done, true);
    pthread_join(thread, NULL);
}
END_TEST

/* On the clock on the wall the process's timer is for finding threads only.  */
START_TEST(test_wall)
{
    ck_assert_int_eq(start_with(CCPROF_SETTINGS_WALL, CCPROF_SETTINGS_TASK_CLOCK), 0);
    ck_assert_uint_eq(from_engine(1, 0), 1);
    ck_assert_uint_eq(from_process(4), 0);
    ck_assert_uint_eq(in_another(from_process, 4), 0);
    ck_assert_int_eq(fake.armed, 2);
}
END_TEST

static _Atomic uint64_t told, weighed;
static pthread_barrier_t barrier;

/* Signals of both kinds: the engine, where there is one, takes what the process's timer
   tells of.  */
static void *signals(void *number)
{
    unsigned seed = (unsigned)(intptr_t)number;
    bool has_engine = seed % 2;

    if (has_engine)
        ccprof_sampler_thread_begin();
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < SIGNALS; i++) {
        int periods = 1 + rand_r(&seed) % 3;
        atomic_fetch_add(&told, (uint64_t)periods);
        atomic_fetch_add(&weighed, from_process(periods));
        if (has_engine)
            atomic_fetch_add(&weighed, from_engine(periods, 0));
    }
    ccprof_sampler_thread_end();
    return NULL;
}

/* However the signals of several threads meet, there are as many samples as periods, when
   what is owed in the end is taken, or waited for.  */
START_TEST(test_sum)
{
    pthread_t threads[THREADS];
    uint64_t weight;

    start();
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, signals, (void *)(intptr_t)i),
                         0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    do {
        weight = in_another(from_process, 1);
        told++;
        weighed += weight;
    } while (weight != 1);
    ck_assert_uint_eq(weighed, told);
    ccprof_sampler_stop();
    ck_assert_int_eq(fake.armed, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rt sampler");
    TCase *tests = tcase_create("sampler");
    tcase_add_loop_test(tests, test_choice, 0, sizeof choices / sizeof *choices);
    tcase_add_test(tests, test_is_ours);
    tcase_add_test(tests, test_process);
    tcase_add_test(tests, test_engine);
    tcase_add_test(tests, test_owed);
    tcase_add_test(tests, test_forgets);
    tcase_add_test(tests, test_meets);
    tcase_add_test(tests, test_looks);
    tcase_add_test(tests, test_wall);
    tcase_add_test(tests, test_sum);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
