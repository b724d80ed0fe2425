/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/sample/threads.c rt/sample/carryover.c rt/sample/interval.c rt/os/timer.c */
/* links: rt/os/file.c rt/os/spin.c rt/os/tasks.c */
/* Whatever threads begin, end, are looked at by others and stopped at the same time,
   nobody is armed twice, and nothing stays armed.  */

#include "fake_engine.h"

#define THREADS 8
#define ROUNDS  40

/* Those that the looks of the others see.  */
static _Atomic pid_t seen[THREADS];
static _Atomic int begun, missed;
static _Atomic bool enough;
static const struct ccprof_engine *const *beginning = engines;

/* As the sampler does at a signal; its own is taken care of as soon as it has one.  */
static void handler(pid_t own, uint64_t *taken)
{
    struct ccprof_thread *thread = ccprof_threads_find(own);
    const struct ccprof_engine *engine = thread ? thread->engine : NULL;

    if (engine && engine->is_armed(thread)) {
        if (engine->take(thread, NULL, NULL) != ++*taken)
            wrong++;
    } else if (engine) {
        arm(own, false);
        *taken = 0;
    }
}

static void *life(void *place)
{
    pid_t own = ccprof_sys_gettid();
    const struct ccprof_thread *slot;
    uint64_t taken = 0;

    begun++;
    arm_with(beginning, own, true);
    slot = ccprof_threads_find(own);
    if (!slot)
        missed++;
    else if (slot->tid != own)
        wrong++;
    atomic_store((_Atomic pid_t *)place, own);
    for (int i = 0; i < 50; i++) {
        handler(own, &taken);
        if (i % 10 == 0)
            ccprof_sys_yield();
    }
    atomic_store((_Atomic pid_t *)place, 0);
    ccprof_threads_disarm(own);
    return NULL;
}

/* Makes one thread after the other.  */
static void *lives(void *place)
{
    for (int i = 0; i < ROUNDS; i++)
        in_another_thread(life, place);
    return NULL;
}

/* The thread that looks, as the sampler does.  */
static void *looks(void *unused)
{
    while (!enough) {
        for (int i = 0; i < THREADS; i++) {
            pid_t tid = atomic_load(&seen[i]);
            const struct ccprof_thread *thread = tid ? ccprof_threads_find(tid) : NULL;
            if (tid != 0 && !(thread && thread->engine))
                arm(tid, false);
        }
        ccprof_threads_reap();
        ccprof_sys_sleep(10000);
    }
    return unused;
}

static pthread_t threads[THREADS], looker;

static void start(void)
{
    threads_begin(&looker, 1, looks, NULL, 0);
    threads_begin(threads, THREADS, lives, (void *)seen, sizeof *seen);
}

/* Nothing is armed afterwards.  */
static void finish(void)
{
    threads_end(threads, THREADS);
    enough = true;
    threads_end(&looker, 1);
    ccprof_threads_stop();
    assert_armed(0, arms);
    ck_assert_int_eq(begun, THREADS * ROUNDS);
}

/* Every thread has its slot, but for one that had to wait for too long, and is armed
   once in its life: with a number that may have been another thread's before.  Or the
   engine loses what it has armed while the threads are looked at.  */
TEST_TIMES(test_lives, 2)
{
    forgets = _i;
    start();
    finish();
    ck_assert_int_le(missed, THREADS * ROUNDS / 20);
    if (_i) {
        ck_assert_int_gt(arms, THREADS * ROUNDS);
        return;
    }
    ck_assert_uint_ge(ccprof_threads_count(), (uint64_t)(THREADS * ROUNDS - missed));
    ck_assert_uint_le(ccprof_threads_count(), THREADS * ROUNDS);
    ck_assert_uint_eq(ccprof_threads_count(), (uint64_t)arms);
}

/* Threads begin without an engine, and get one while they handle signals.  */
TEST(test_found)
{
    beginning = none;
    start();
    finish();
    ck_assert_int_gt(arms, 0);
    ck_assert_int_le(arms, THREADS * ROUNDS);
}

/* The end of the run comes into the middle of it.  */
TEST(test_stop)
{
    start();
    while (begun < THREADS * ROUNDS / 4)
        ccprof_sys_yield();
    ccprof_threads_stop();
    int before = arms;
    finish();
    ck_assert_int_eq(arms, before);
}
