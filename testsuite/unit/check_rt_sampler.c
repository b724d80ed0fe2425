/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/sample/sampler.c rt/sample/threads.c rt/os/spin.c */
/* What the sampler makes of signals, with engines, a clock and a list of threads that are
   the test's own: what a signal stands for, and whom it arms.  (Which engine it takes:
   rt-engines.)  */

#include "sampler_standins.h"
#include "rt/os/sys.h"
#include "rt/sample/sampler.h"

#define THREADS 6
#define SIGNALS 20000

static void start_with(enum ccprof_settings_clock clock)
{
    static struct ccprof_settings settings = {.rate = 100};
    settings.clock = clock;
    ck_assert_int_eq(ccprof_sampler_start(&settings), 0);
}

static void start(void)
{
    start_with(CCPROF_SETTINGS_CPU);
    ck_assert_int_eq(fake.armed, 1);
}

/* The weights of signals that come to the calling thread.  */
static uint64_t from_lookout(int periods)
{
    siginfo_t info = {.si_code = SI_TIMER};
    info.si_value.sival_ptr = &fake_lookout;
    info.si_overrun = periods - 1;
    return ccprof_sampler_take(&info, NULL);
}

static uint64_t from_engine(int samples)
{
    siginfo_t info = {.si_code = POLL_IN};
    info.si_fd = samples;
    return ccprof_sampler_take(&info, NULL);
}

static uint64_t (*other_from)(int);
static int other_periods;
static uint64_t other_weight;

static void *other_body(void *unused)
{
    other_weight = other_from(other_periods);
    return NULL;
}

/* In a thread that begins for it.  */
static uint64_t in_another(uint64_t (*from)(int), int periods)
{
    other_from = from;
    other_periods = periods;
    in_another_thread(other_body, NULL);
    return other_weight;
}

TEST(test_is_ours)
{
    const struct {
        int code;
        const void *value;
        bool ours;
    } signals[] = {{SI_TIMER, &fake_lookout, true}, {SI_TIMER, &fake, false},
                   {POLL_IN, NULL, true},           {POLL_HUP, NULL, true},
                   {SI_USER, &fake_lookout, false}, {SI_KERNEL, NULL, false}};
    siginfo_t info = {.si_code = 0};

    start();
    for (size_t i = 0; i < LENGTH(signals); i++) {
        info.si_code = signals[i].code;
        info.si_value.sival_ptr = (void *)signals[i].value;
        ck_assert_int_eq(ccprof_sampler_is_ours(&info), signals[i].ours);
    }
    info.si_code = SI_TIMER;
    info.si_value.sival_ptr = ccprof_threads_find(ccprof_sys_gettid());
    ck_assert(ccprof_sampler_is_ours(&info));
}

/* Where an engine samples, the lookout stands for nothing, and is put off.  */
TEST(test_engine)
{
    start();
    ck_assert_uint_eq(from_lookout(2), 0);
    ck_assert_uint_eq(fake.put_off, 0);
    ck_assert_uint_eq(from_engine(1), 1);
    ck_assert_uint_eq(from_engine(0), 0);
    ck_assert_uint_eq(fake.put_off, 2);
    /* What threads have left that ended.  */
    fake.owed = 5;
    ck_assert_uint_eq(from_engine(0), 0);
    ck_assert_uint_eq(from_engine(1), 3);
    ck_assert_uint_eq(from_engine(2), 5);
}

static uint64_t begins_and_from_lookout(int periods)
{
    ccprof_sampler_thread_begin();
    uint64_t weight = from_lookout(periods);
    ccprof_sampler_thread_end();
    return weight;
}

/* In a thread that no engine samples the lookout stands for its periods; of those before
   its first signal others have a part.  */
TEST(test_owed)
{
    start();
    ck_assert_uint_eq(in_another(from_lookout, 7), 7);
    fake.late = 9;
    ck_assert_uint_eq(in_another(from_lookout, 1), 2);
    ck_assert_uint_eq(in_another(from_lookout, 3), 6);
    ck_assert_uint_eq(from_engine(1), 3);
    ck_assert_uint_eq(in_another(from_lookout, 3), 6);
    /* A thread that has an engine has its own samples.  */
    ck_assert_uint_eq(from_lookout(5), 0);
    ck_assert_uint_eq(in_another(begins_and_from_lookout, 2), 0);
    ck_assert_uint_eq(in_another(from_lookout, 3), 3);
}

static uint64_t armed_after(int periods)
{
    pid_t self = ccprof_sys_gettid();

    ck_assert_ptr_null(ccprof_threads_find(self));
    ck_assert_uint_eq(from_lookout(periods), (uint64_t)periods);
    const struct ccprof_thread *thread = ccprof_threads_find(self);
    ck_assert_ptr_nonnull(thread);
    ck_assert_uint_eq(thread->engine != NULL, fake.old);
    return from_lookout(1);
}

static uint64_t grows_old(int periods)
{
    uint64_t weight = armed_after(periods);

    fake.old = true;
    weight += from_lookout(periods);
    ck_assert_ptr_nonnull(ccprof_threads_find(ccprof_sys_gettid())->engine);
    return weight;
}

/* A thread that nobody told of has a slot from its first signal on, and an engine as soon
   as it is old enough.  Each signal that interrupts a system call is counted.  */
TEST(test_meets)
{
    start();
    fake.interrupts = true;
    ck_assert_uint_eq(in_another(armed_after, 1), 1);
    ck_assert_int_eq(fake.armed, 1);
    ck_assert_uint_eq(in_another(grows_old, 1), 2);
    ck_assert_int_eq(fake.armed, 2);
    ck_assert_uint_eq(in_another(armed_after, 1), 0);
    ck_assert_int_eq(fake.armed, 3);
    ck_assert_uint_eq(ccprof_sampler_threads(), 4);
    ck_assert_uint_eq(ccprof_sampler_interrupted(), 7);
}

/* Threads that the kernel lists are looked at ten times in a second, not at each signal;
   and only if some are not armed: another thread may be opening a file, and count on its
   number.  */
TEST(test_looks)
{
    const uint64_t start_at = ccprof_sys_clock(CLOCK_MONOTONIC);
    int signals = 0;

    start();
    fake.old = true;
    fake.listed = 1;
    do
        from_lookout(1);
    while (++signals < 100 || fake.walks < 3);
    const uint64_t now = ccprof_sys_clock(CLOCK_MONOTONIC);
    ck_assert_uint_ge(now - start_at, 190000000);
    ck_assert_int_eq(fake.armed, 2);
    fake.tasks = 2;
    while (ccprof_sys_clock(CLOCK_MONOTONIC) < now + 250000000)
        from_lookout(1);
    ck_assert_int_eq(fake.walks, 3);
    fake.tasks = 3;
    while (fake.walks == 3)
        from_lookout(1);
}

/* On the clock on the wall nothing is owed, and the lookout is not put off.  */
TEST(test_wall)
{
    start_with(CCPROF_SETTINGS_WALL);
    fake.owed = 1;
    ck_assert_uint_eq(from_engine(1), 1);
    ck_assert_uint_eq(fake.put_off, 0);
}

static _Atomic uint64_t told, weighed;
static pthread_barrier_t barrier;

static void *signals(void *number)
{
    unsigned seed = (unsigned)(intptr_t)number;

    pthread_barrier_wait(&barrier);
    for (int i = 0; i < SIGNALS; i++) {
        int periods = 1 + rand_r(&seed) % 3;
        told += (uint64_t)periods;
        if (rand_r(&seed) % 10 == 0) {
            told += 5;
            fake.late += 5;
        }
        weighed += from_lookout(periods);
    }
    return NULL;
}

/* However the signals of several threads meet, there are as many samples as periods, when
   what is owed in the end is taken.  */
TEST(test_sum)
{
    uint64_t weight;

    start();
    pthread_barrier_init(&barrier, NULL, THREADS);
    threads_run(THREADS, signals, NULL, 0);
    do {
        weight = in_another(from_lookout, 1);
        told++;
        weighed += weight;
    } while (weight != 1);
    ck_assert_uint_eq(weighed, told);
    ccprof_sampler_stop();
    ck_assert_int_eq(fake.armed, 0);
}
