/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stands in for the engines, the clocks and the list of threads that rt/sample/sampler.c
   asks, for check_rt_sampler: does what `fake' says, and counts what it is asked for.  */

#ifndef CCPROF_TESTSUITE_SAMPLER_STANDINS_H
#define CCPROF_TESTSUITE_SAMPLER_STANDINS_H

#include "rt_tests.h"
#include "rt/os/tasks.h"
#include "rt/os/timer.h"
#include "rt/sample/carryover.h"
#include "rt/sample/engine.h"
#include "rt/sample/lookout.h"
#include "rt/sample/threads.h"
#include "rt/unwind/cpu.h"
#include "standins.h"

static struct {
    _Atomic bool old, interrupts;         /* of all; of threads */
    _Atomic uint64_t owed, late, put_off; /* late: periods before the first signal */
    _Atomic int armed, walks;
    _Atomic pid_t listed;
    _Atomic uint64_t tasks; /* 0: not known, and each look goes through the list */
} fake;

/* Its address is the value of the lookout's timer.  */
static int fake_lookout;

int ccprof_lookout_start(uint64_t period)
{
    ck_assert_uint_eq(period, 10000000);
    return 0;
}

DOES_NOTHING(ccprof_lookout_stop, (void))
DOES(ccprof_lookout_put_off, (uint64_t threads), fake.put_off++)
RETURNS(bool, ccprof_lookout_is, (const siginfo_t *info),
        info->si_code == SI_TIMER && info->si_value.sival_ptr == &fake_lookout)
RETURNS(uint64_t, ccprof_lookout_take, (const siginfo_t *info),
        atomic_exchange(&fake.late, 0) + 1 + (uint64_t)info->si_overrun)

/* The clock of a thread that has had much CPU time, or one that cannot be read.  */
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

DOES(ccprof_carryover_drop, (void), fake.owed = 0)
DOES(ccprof_carryover_owe, (uint64_t samples), fake.owed += samples)

uint64_t ccprof_carryover_claim(uint64_t most)
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

/* si_fd: samples.  */
static uint64_t fake_take(struct ccprof_thread *thread, const siginfo_t *info,
                          const void *context)
{
    return (uint64_t)info->si_fd;
}

#define ENGINE(name, text)                                                               \
    const struct ccprof_engine ccprof_engine_##name = {text, fake_arm,      fake_disarm, \
                                                       NULL, fake_is_armed, fake_take}

ENGINE(task_clock, "task-clock");
ENGINE(thread_timer, "thread-timer");
ENGINE(wall_timer, "wall-timer");

#endif
