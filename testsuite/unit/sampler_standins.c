/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does what `fake' says, and counts what it is asked for: see sampler_standins.h.  */

#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>

#include "rt/os/tasks.h"
#include "rt/os/timer.h"
#include "rt/sample/carryover.h"
#include "rt/sample/engine.h"
#include "rt/sample/lookout.h"
#include "rt/sample/threads.h"
#include "rt/unwind/cpu.h"
#include "sampler_standins.h"

/* A thread that has no CPU time yet, and one that has had much.  */
#define CLOCK_OF_YOUNG ((clockid_t)0x7fff)
#define CLOCK_OF_OLD   CLOCK_MONOTONIC

struct fake fake;
int fake_lookout;
const int fake_error[3] = {EACCES, ENOMEM, EPERM};

int ccprof_lookout_start(uint64_t period)
{
    ck_assert_uint_eq(period, 10000000);
    fake.lookout_starts++;
    return 0;
}

void ccprof_lookout_stop(void)
{
    fake.lookout_stops++;
}

void ccprof_lookout_put_off(uint64_t threads)
{
    ck_assert_uint_eq(threads, ccprof_threads_count());
    atomic_fetch_add(&fake.put_off, 1);
}

bool ccprof_lookout_is(const siginfo_t *info)
{
    return info->si_code == SI_TIMER && info->si_value.sival_ptr == &fake_lookout;
}

uint64_t ccprof_lookout_take(const siginfo_t *info)
{
    return atomic_exchange(&fake.late, 0) + 1 + (uint64_t)info->si_overrun;
}

clockid_t ccprof_timer_clock(pid_t tid)
{
    (void)tid;
    return atomic_load(&fake.old) ? CLOCK_OF_OLD : CLOCK_OF_YOUNG;
}

void ccprof_tasks_walk(struct ccprof_tasks *tasks, void (*visit)(pid_t tid))
{
    pid_t tid = atomic_load(&fake.listed);

    (void)tasks;
    atomic_fetch_add(&fake.walks, 1);
    if (tid != 0)
        visit(tid);
}

/* As it is: the numbers are those of threads of the test's, or of nobody.  */
/* Not known: each look goes through the list.  */
uint64_t ccprof_tasks_count(void)
{
    return 0;
}

bool ccprof_tasks_has_ended(pid_t tid)
{
    return syscall(SYS_tgkill, getpid(), tid, 0) != 0 && errno == ESRCH;
}

bool ccprof_tasks_alone(void)
{
    return false;
}

bool ccprof_cpu_is_interrupted_call(const void *context)
{
    (void)context;
    return atomic_load(&fake.interrupts);
}

void ccprof_carryover_drop(void)
{
    atomic_store(&fake.owed, 0);
}

void ccprof_carryover_owe(uint64_t samples)
{
    atomic_fetch_add(&fake.owed, samples);
}

uint64_t ccprof_carryover_claim(uint64_t most)
{
    uint64_t owed = atomic_load(&fake.owed), claim;
    do
        claim = owed < most ? owed : most;
    while (!atomic_compare_exchange_weak(&fake.owed, &owed, owed - claim));
    return claim;
}

static int engine_arm(struct ccprof_thread *thread, int engine)
{
    if (atomic_load(&fake.refuses[engine]))
        return fake_error[engine];
    thread->handle = engine;
    atomic_fetch_add(&fake.armed, 1);
    return 0;
}

static int arm_0(struct ccprof_thread *thread, uint64_t period)
{
    (void)period;
    return engine_arm(thread, 0);
}

static int arm_1(struct ccprof_thread *thread, uint64_t period)
{
    (void)period;
    return engine_arm(thread, 1);
}

static int arm_2(struct ccprof_thread *thread, uint64_t period)
{
    (void)period;
    return engine_arm(thread, 2);
}

static void disarm(struct ccprof_thread *thread)
{
    (void)thread;
    atomic_fetch_sub(&fake.armed, 1);
}

static bool is_armed(const struct ccprof_thread *thread)
{
    (void)thread;
    return true;
}

/* si_fd: samples.  */
static uint64_t take(struct ccprof_thread *thread, const siginfo_t *info,
                     const void *context)
{
    (void)thread;
    (void)context;
    return (uint64_t)info->si_fd;
}

const struct ccprof_engine ccprof_engine_task_clock = {"task-clock", arm_0,    disarm,
                                                       NULL,         is_armed, take};
const struct ccprof_engine ccprof_engine_thread_timer = {"thread-timer", arm_1,    disarm,
                                                         NULL,           is_armed, take};
const struct ccprof_engine ccprof_engine_wall_timer = {"wall-timer", arm_2,    disarm,
                                                       NULL,         is_armed, take};
