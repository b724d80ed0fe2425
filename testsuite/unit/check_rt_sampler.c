/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/sampler/sampler.c rt/sampler/threads.c rt/os/lock.c */
/* The sampler's reaction to signals. The test has its own engines, clock and list of
   threads. It checks the number of samples that a signal represents, and which threads
   are armed. (The choice of the engine: rt-engines.) */

#include "rt_tests.h"
#include "rt/os/sys.h"
#include "rt/os/proc.h"
#include "rt/os/timer.h"
#include "rt/sampler/engine.h"
#include "rt/sampler/sampler.h"
#include "rt/sampler/threads.h"
#include "rt/unwind/cpu.h"
#include "standins.h"

/* The engines, the clocks and the list of threads behave as `fake' says and count their
   calls. */
static struct {
    _Atomic bool old, interrupts;         /* threads are old; calls are interrupted */
    _Atomic bool awaits;                  /* a child waits for its first tick */
    uint64_t user;                        /* user time since the last signal */
    _Atomic uint64_t owed, late, put_off; /* late: periods before the first signal */
    _Atomic int armed, walks;
    _Atomic pid_t listed;
    _Atomic uint64_t tasks; /* 0: unknown, and each check walks the list */
} fake;

/* Its address is the value of the process timer. */
static int fake_lookout;

int ccprof_process_timer_start(uint64_t period, bool at_tick)
{
    ck_assert_uint_eq(period, 10000000);
    fake.awaits = at_tick;
    return 0;
}

RETURNS(bool, ccprof_process_timer_awaits_tick, (void), fake.awaits)

DOES_NOTHING(ccprof_process_timer_stop, (void))
void ccprof_process_timer_postpone(uint64_t threads)
{
    fake.put_off++;
    fake.awaits = false;
}

RETURNS(bool, ccprof_process_timer_is, (const siginfo_t *info),
        info->si_code == SI_TIMER && info->si_value.sival_ptr == &fake_lookout)
RETURNS(uint64_t, ccprof_process_timer_take, (const siginfo_t *info),
        atomic_exchange(&fake.late, 0) + 1 + (uint64_t)info->si_overrun)

RETURNS(uint64_t, ccprof_timer_tick, (void), 4000000)
RETURNS(bool, ccprof_ticks_are_mostly_user, (void), fake.user != 0)
RETURNS(uint64_t, ccprof_ticks_user, (const struct ccprof_ticks *ticks), fake.user)

/* The clock of a thread with much CPU time, or a clock that cannot be read. */
RETURNS(clockid_t, ccprof_timer_clock, (pid_t tid),
        fake.old ? CLOCK_MONOTONIC : (clockid_t)0x7fff)

void ccprof_tasks_walk(struct ccprof_tasks *tasks, void (*visit)(pid_t tid))
{
    pid_t tid = fake.listed;

    fake.walks++;
    if (tid != 0)
        visit(tid);
}

RETURNS(uint64_t, ccprof_tasks_count, (void), fake.tasks)
RETURNS(bool, ccprof_tasks_alone, (void), false)
RETURNS(bool, ccprof_tasks_has_ended, (pid_t tid), false)

RETURNS(bool, ccprof_cpu_is_interrupted_call, (const void *context), fake.interrupts)

DOES(ccprof_remainder_drop, (void), fake.owed = 0)
DOES(ccprof_remainder_owe, (uint64_t samples), fake.owed += samples)

uint64_t ccprof_remainder_take(uint64_t most)
{
    uint64_t owed = fake.owed, claim;
    do
        claim = owed < most ? owed : most;
    while (!atomic_compare_exchange_weak(&fake.owed, &owed, owed - claim));
    return claim;
}

static int fake_arm(struct ccprof_thread *thread, uint64_t period)
{
    fake.armed++;
    return 0;
}

static void fake_disarm(struct ccprof_thread *thread)
{
    fake.armed--;
}

static bool fake_is_armed(const struct ccprof_thread *thread)
{
    return true;
}

/* The member si_fd is the number of samples. */
static struct ccprof_taken fake_take(struct ccprof_thread *thread, const siginfo_t *info,
                                     bool at_call)
{
    return (struct ccprof_taken){.samples = (uint64_t)info->si_fd,
                                 .kernel = at_call ? (uint64_t)info->si_fd : 0};
}

#define ENGINE(name, text)                                                               \
    const struct ccprof_engine ccprof_engine_##name = {text, fake_arm,      fake_disarm, \
                                                       NULL, fake_is_armed, fake_take}

ENGINE(task_clock, "task-clock");
ENGINE(thread_timer, "thread-timer");
ENGINE(wall_timer, "wall-timer");

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

/* The calling thread gets a signal, alternately inside and outside of a system call. In a
   system call all samples are kernel time, including the owed ones that the thread takes.
   Outside none is. */
static uint64_t taken(const siginfo_t *info)
{
    static _Atomic unsigned signals;
    static const struct ccprof_cpu_call call;
    bool at_call = ++signals % 2;
    struct ccprof_taken taken = ccprof_sampler_take(info, NULL, at_call ? &call : NULL);
    ck_assert_uint_eq(taken.kernel, at_call ? taken.samples : 0);
    return taken.samples;
}

/* The number of samples of a signal to the calling thread. */
static uint64_t from_lookout(int periods)
{
    siginfo_t info = {.si_code = SI_TIMER};
    info.si_value.sival_ptr = &fake_lookout;
    info.si_overrun = periods - 1;
    return taken(&info);
}

static uint64_t from_engine(int samples)
{
    siginfo_t info = {.si_code = POLL_IN};
    info.si_fd = samples;
    return taken(&info);
}

static uint64_t (*other_from)(int);
static int other_periods;
static uint64_t other_weight, other_used;

static void *other_body(void *unused)
{
    other_weight = other_from(other_periods);
    return NULL;
}

/* Does the same in a new thread. */
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

/* The first thread of a forked child gets its engine at the first tick, which represents
   all periods of the child. As soon as another thread starts, the child no longer waits
   for the tick. */
TEST(test_child)
{
    start();
    ccprof_sampler_drop();
    fake.awaits = false;
    start_with(CCPROF_SETTINGS_CPU);
    ck_assert_int_eq(fake.armed, 1);
    ck_assert(fake.awaits);
    ck_assert_uint_eq(ccprof_sampler_threads(), 1);
    fake.late = 8;
    fake.old = false;
    ck_assert_uint_eq(from_lookout(1), 9);
    ck_assert_int_eq(fake.armed, 2);
    ck_assert(!fake.awaits);
    ck_assert_uint_eq(ccprof_sampler_threads(), 1);
    ck_assert_uint_eq(from_lookout(1), 0);

    ccprof_sampler_drop();
    start_with(CCPROF_SETTINGS_CPU);
    ck_assert(fake.awaits);
    ccprof_sampler_thread_begin();
    ck_assert(!fake.awaits);
}

/* If a child runs with blocked signals, its first signal arrives at the system call that
   unblocks it. Its samples are not kernel time. */
TEST(test_blocked_child)
{
    const struct ccprof_cpu_call call = {0};
    siginfo_t info = {.si_code = SI_TIMER, .si_value.sival_ptr = &fake_lookout};

    start();
    for (int is_user = 0; is_user < 2; is_user++) {
        ccprof_sampler_drop();
        start_with(CCPROF_SETTINGS_CPU);
        fake.old = false;
        fake.user = is_user ? 50000000 : 0;
        struct ccprof_taken taken = ccprof_sampler_take(&info, NULL, &call);
        ck_assert_uint_eq(taken.samples, 1);
        ck_assert_uint_eq(taken.kernel, is_user ? 0 : 1);
    }
}

/* Periods that a timer counted in user mode while its signal was blocked are late: the
   signal arrives at the system call that unblocks it. In other cases the tick itself was
   late. */
TEST(test_late)
{
    const struct ccprof_cpu_call call = {0};
    siginfo_t info = {.si_code = SI_TIMER};

    start();
    info.si_value.sival_ptr = ccprof_threads_find(ccprof_sys_gettid());
    fake.user = 50000000;
    taken(&info);
    ck_assert_uint_eq(ccprof_sampler_late(), 0);
    info.si_overrun = 4;
    ccprof_sampler_take(&info, NULL, NULL);
    ck_assert_uint_eq(ccprof_sampler_late(), 0);
    fake.user = 100000000;
    ccprof_sampler_take(&info, NULL, &call);
    ck_assert_uint_eq(ccprof_sampler_late(), 4);
    fake.user = 20000000;
    ccprof_sampler_take(&info, NULL, &call);
    ck_assert_uint_eq(ccprof_sampler_late(), 4);
    ccprof_sampler_drop();
    ck_assert_uint_eq(ccprof_sampler_late(), 0);
}

/* In a thread with an engine, the process timer represents no samples and is
   postponed. */
TEST(test_engine)
{
    start();
    ck_assert_uint_eq(from_lookout(2), 0);
    ck_assert_uint_eq(fake.put_off, 0);
    ck_assert_uint_eq(from_engine(1), 1);
    ck_assert_uint_eq(from_engine(0), 0);
    ck_assert_uint_eq(fake.put_off, 2);
    /* Samples left by threads that have ended. */
    fake.owed = 5;
    ck_assert_uint_eq(from_engine(0), 0);
    ck_assert_uint_eq(from_engine(1), 3);
    ck_assert_uint_eq(from_engine(2), 5);
}

RETURNS(uint64_t, ccprof_remainder_missed, (bool end), (uint64_t)end)

/* Threads use a millisecond of CPU time before they are armed, so one of ten has a
   sample. (The sampler reads the clock between this time and the end of the thread.) */
static uint64_t begins_late(int milliseconds)
{
    uint64_t samples;

    while (ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID) < (uint64_t)milliseconds * 1000000)
        continue;
    samples = ccprof_sampler_thread_begin();
    ck_assert_uint_eq(ccprof_sampler_thread_end(), 0);
    other_used = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    return samples;
}

TEST(test_before_it_is_armed)
{
    uint64_t samples = 0, used = 0;

    start();
    for (int i = 0; i < 35; i++) {
        samples += in_another(begins_late, 1);
        used += other_used;
    }
    ck_assert_uint_ge(samples, 3);
    ck_assert_uint_le(samples, used / 10000000 + 1);
}

static uint64_t begins_and_from_lookout(int periods)
{
    ccprof_sampler_thread_begin();
    uint64_t weight = from_lookout(periods);
    ccprof_sampler_thread_end();
    return weight;
}

/* In a thread without an engine, the process timer represents its periods. The periods
   before its first signal are shared with other threads. */
TEST(test_owed)
{
    start();
    ck_assert_uint_eq(in_another(from_lookout, 7), 7);
    fake.late = 9;
    ck_assert_uint_eq(in_another(from_lookout, 1), 2);
    ck_assert_uint_eq(in_another(from_lookout, 3), 6);
    ck_assert_uint_eq(from_engine(1), 3);
    ck_assert_uint_eq(in_another(from_lookout, 3), 6);
    /* A thread with an engine takes only its own samples. */
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

/* An unannounced thread gets a slot at its first signal, and an engine as soon as it has
   had enough CPU time. Each signal that interrupts a system call is counted. */
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

/* The kernel's list of threads is checked ten times a second, not at each signal, and
   only if some threads are not armed: another thread may be opening a file and expect a
   certain descriptor number. */
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

/* With clock=wall no samples are owed, and the process timer is not postponed. */
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

/* In any order of the signals of several threads, there are as many samples as periods
   once the owed samples have been taken. */
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

/* While the sampler pauses, no thread has a timer, also none that begins, and signals
   that were pending take nothing. */
TEST(test_pause)
{
    static struct ccprof_settings settings = {.rate = 100};

    ccprof_sampler_postpone(&settings);
    ck_assert_str_eq(ccprof_sampler_engine(), "task-clock");
    ck_assert_uint_eq(ccprof_sampler_thread_begin(), 0);
    ck_assert_int_eq(fake.armed, 0);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(ccprof_sampler_resume(&settings), 0);
        ck_assert_int_eq(fake.armed, 1);
        ck_assert_int_eq(ccprof_sampler_resume(&settings), 0);
        ck_assert_int_eq(fake.armed, 1);
        ccprof_sampler_pause();
        ck_assert_int_eq(fake.armed, 0);
        ck_assert_uint_eq(from_engine(1), 0);
        ck_assert_uint_eq(ccprof_sampler_thread_begin(), 0);
        ck_assert_int_eq(fake.armed, 0);
    }
}
