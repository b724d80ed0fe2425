/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An engine that only keeps book of the threads that rt/sample/threads.c arms with it,
   for check_rt_threads and check_rt_threads_lives.  */

#ifndef CCPROF_TESTSUITE_FAKE_ENGINE_H
#define CCPROF_TESTSUITE_FAKE_ENGINE_H

#include "rt_tests.h"
#include "rt/os/sys.h"
#include "rt/sample/threads.h"

/* What the engine has in a slot: its handle.  */
enum { ARMED = 1, DISARMED = 2 };

static _Atomic int armed, arms, refused, wrong;
static _Atomic bool refuses, forgets;

static int fake_arm(struct ccprof_thread *thread, uint64_t period)
{
    if (refuses) {
        refused++;
        return EACCES;
    }
    if (thread->handle == ARMED || thread->tid == 0 || period != 1234)
        wrong++;
    thread->handle = ARMED;
    thread->kernel = 0;
    armed++;
    arms++;
    return 0;
}

static void fake_disarm(struct ccprof_thread *thread)
{
    if (thread->handle != ARMED)
        wrong++;
    thread->handle = DISARMED;
    armed--;
}

/* Forgets: as an engine whose descriptors the program has closed.  */
static bool fake_is_armed(const struct ccprof_thread *thread)
{
    return !forgets;
}

static uint64_t fake_take(struct ccprof_thread *thread, const siginfo_t *info,
                          const void *context)
{
    return thread->tid == ccprof_sys_gettid() ? ++thread->kernel : 0;
}

static int fake_refuses(struct ccprof_thread *thread, uint64_t period)
{
    return EMFILE;
}

#define FAKE(name, arm)                                                                  \
    {                                                                                    \
        name, arm, fake_disarm, NULL, fake_is_armed, fake_take                           \
    }
__attribute__((unused)) static const struct ccprof_engine first = FAKE("first", fake_arm);
__attribute__((unused)) static const struct ccprof_engine other = FAKE("other", fake_arm);
__attribute__((unused)) static const struct ccprof_engine never =
    FAKE("never", fake_refuses);
__attribute__((unused)) static const struct ccprof_engine *const engines[] = {
    &first, &other, NULL};
__attribute__((unused)) static const struct ccprof_engine *const none[] = {NULL};

static inline int arm_with(const struct ccprof_engine *const *which, pid_t tid,
                           bool begins)
{
    return ccprof_threads_arm(tid, which, begins, 1234);
}

static inline void arm(pid_t tid, bool begins)
{
    arm_with(engines, tid, begins);
}

/* So many threads are armed, after as often as that; and nothing went wrong.  */
static inline void assert_armed(int now, int often)
{
    ck_assert_int_eq(armed, now);
    ck_assert_int_eq(arms, often);
    ck_assert_int_eq(wrong, 0);
}

#endif
