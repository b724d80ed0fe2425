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
#include "standins.h"

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

DOES(ccprof_lookout_stop, (void), fake.lookout_stops++)

void ccprof_lookout_put_off(uint64_t threads)
{
    ck_assert_uint_eq(threads, ccprof_threads_count());
    fake.put_off++;
}

bool ccprof_lookout_is(const siginfo_t *info)
{
    return info->si_code == SI_TIMER && info->si_value.sival_ptr == &fake_lookout;
}

uint64_t ccprof_lookout_take(const siginfo_t *info)
{
    return atomic_exchange(&fake.late, 0) + 1 + (uint64_t)info->si_overrun;
}

RETURNS(clockid_t, ccprof_timer_clock, (pid_t tid),
        fake.old ? CLOCK_OF_OLD : CLOCK_OF_YOUNG)

void ccprof_tasks_walk(struct ccprof_tasks *tasks, void (*visit)(pid_t tid))
{
    pid_t tid = fake.listed;

    fake.walks++;
    if (tid != 0)
        visit(tid);
}

/* Not known: each look goes through the list.  */
RETURNS(uint64_t, ccprof_tasks_count, (void), 0)
RETURNS(bool, ccprof_tasks_alone, (void), false)

/* As it is: the numbers are those of threads of the test's, or of nobody.  */
RETURNS(bool, ccprof_tasks_has_ended, (pid_t tid),
        syscall(SYS_tgkill, getpid(), tid, 0) != 0 && errno == ESRCH)

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

static int arm(struct ccprof_thread *thread, int engine)
{
    if (atomic_load(&fake.refuses[engine]))
        return fake_error[engine];
    thread->handle = engine;
    fake.armed++;
    return 0;
}

static void disarm(struct ccprof_thread *thread)
{
    fake.armed--;
}

static bool is_armed(const struct ccprof_thread *thread)
{
    return true;
}

/* si_fd: samples.  */
static uint64_t take(struct ccprof_thread *thread, const siginfo_t *info,
                     const void *context)
{
    return (uint64_t)info->si_fd;
}

#define ENGINE(name, text, number)                                                       \
    static int arm_##number(struct ccprof_thread *thread, uint64_t period)               \
    {                                                                                    \
        return arm(thread, number);                                                      \
    }                                                                                    \
    const struct ccprof_engine ccprof_engine_##name = {text, arm_##number, disarm,       \
                                                       NULL, is_armed,     take};

ENGINE(task_clock, "task-clock", 0)
ENGINE(thread_timer, "thread-timer", 1)
ENGINE(wall_timer, "wall-timer", 2)
