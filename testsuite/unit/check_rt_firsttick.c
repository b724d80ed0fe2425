/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/sampler/engine-timer.c */
/* The time that the first tick of a forked child represents, with a clock of the test.
   (All ticks of children: rt-processes.) */

#include "rt_tests.h"
#include "rt/os/timer.h"
#include "rt/sampler/engine.h"
#include "standins.h"

#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>

/* In nanoseconds. With this period a sample is a microsecond. */
#define PERIOD 1000u
#define TICK   4000000u

static uint64_t fake_now;

/* Replaces libc's function, which the runtime calls for the time. */
long syscall(long number, ...)
{
    va_list arguments;
    struct timespec *now;

    if (number != SYS_clock_gettime)
        return -1;
    va_start(arguments, number);
    (void)va_arg(arguments, clockid_t);
    now = va_arg(arguments, struct timespec *);
    va_end(arguments);
    now->tv_sec = 0;
    now->tv_nsec = (long)fake_now;
    return 0;
}

RETURNS(int, ccprof_timer_make,
        (int *timer, clockid_t clock, int signal, pid_t tid, void *value), 0)
DOES_NOTHING(ccprof_timer_in, (int timer, uint64_t first, uint64_t interval))
DOES_NOTHING(ccprof_timer_delete, (int timer))
RETURNS(bool, ccprof_timer_is_running, (int timer), true)
RETURNS(clockid_t, ccprof_timer_clock, (pid_t tid), CLOCK_THREAD_CPUTIME_ID)
RETURNS(uint64_t, ccprof_timer_seed, (void), 0)
RETURNS(uint64_t, ccprof_timer_tick, (void), TICK)
DOES_NOTHING(ccprof_interval_start, (struct ccprof_interval * interval, uint64_t period,
                                     uint64_t now, uint64_t seed))
RETURNS(uint64_t, ccprof_interval_take, (struct ccprof_interval * interval, uint64_t now),
        0)
RETURNS(uint64_t, ccprof_interval_wait,
        (const struct ccprof_interval *interval, uint64_t now), 0)
DOES_NOTHING(ccprof_remainder_keep, (struct ccprof_thread * thread, uint64_t now))
DOES_NOTHING(ccprof_remainder_resume,
             (struct ccprof_thread * thread, uint64_t period, uint64_t now))
RETURNS(bool, ccprof_ticks_are_kernel, (struct ccprof_ticks * ticks, bool at_call), false)

/* Returns the samples of the first tick of a child that ran for 2 ms before the start of
   the timer and for PASSED after it. */
static uint64_t first(uint64_t passed)
{
    siginfo_t info = {.si_code = SI_TIMER};

    fake_now = 2000000;
    ck_assert_int_eq(ccprof_process_timer_start(PERIOD, true), 0);
    ck_assert(ccprof_process_timer_awaits_tick());
    fake_now += passed;
    /* The timer counts the periods since its start, which adds no information. */
    info.si_overrun = (int)(passed / PERIOD);
    uint64_t samples = ccprof_process_timer_take(&info);
    ck_assert(!ccprof_process_timer_awaits_tick());
    return samples;
}

/* A tick at a random moment: the rest of a kernel tick, and the time before the start. */
TEST(test_random)
{
    ck_assert_uint_eq(first(1000), 2000 + 3999);
    ck_assert_uint_eq(first(1000000), 2000 + 3000);
    ck_assert_uint_eq(first(3400000), 2000 + 600);
}

/* A tick ended the time of the previous process, or the signal was blocked: the whole
   time counts. */
TEST(test_whole)
{
    ck_assert_uint_eq(first(3600000), 2000 + 3600);
    ck_assert_uint_eq(first(4000000), 2000 + 4000);
    ck_assert_uint_eq(first(34000000), 2000 + 34000);
}

/* Later signals represent their periods. */
TEST(test_later)
{
    siginfo_t info = {.si_code = SI_TIMER};

    first(1000);
    info.si_overrun = 3;
    ck_assert_uint_eq(ccprof_process_timer_take(&info), 4);
}
