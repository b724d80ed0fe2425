/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/sample/threads.c rt/sample/carryover.c rt/sample/interval.c rt/os/timer.c */
/* links: rt/os/file.c rt/os/spin.c rt/os/tasks.c */
/* The slots of threads, with an engine that only keeps book: what is armed, with which
   engine, and whose slot is given to whom.  */

#include "fake_engine.h"
#include <sched.h>

/* Threads that the kernel has never heard of.  */
#define NOBODY 0x10000000

static pid_t self; /* the thread that runs the test */

static void setup(void)
{
    self = ccprof_sys_gettid();
}

TEST(test_arm)
{
    ck_assert_ptr_null(ccprof_threads_find(self));
    arm(self, false);
    const struct ccprof_thread *slot = ccprof_threads_find(self);
    ck_assert_ptr_nonnull(slot);
    ck_assert_int_eq(slot->tid, self);
    ck_assert_ptr_eq(slot->engine, &first);
    ck_assert(ccprof_threads_holds(slot));
    ck_assert(!ccprof_threads_holds(slot + CCPROF_THREADS_MAX));
    ck_assert(!ccprof_threads_holds(&slot));
    arm(self, false);
    assert_armed(1, 1);

    /* What it was armed with is gone.  */
    forgets = true;
    arm(self, false);
    assert_armed(1, 2);
    forgets = false;

    ccprof_threads_disarm(self);
    assert_armed(0, 2);
    /* It is about to end: a look that comes late changes nothing.  */
    arm(self, false);
    assert_armed(0, 2);
    ck_assert_uint_eq(ccprof_threads_count(), 1);
    /* Another thread with its number does.  */
    arm(self, true);
    assert_armed(1, 3);
    ck_assert_uint_eq(ccprof_threads_count(), 2);
    ccprof_threads_stop();
    assert_armed(0, 3);
}

/* The first engine that works is taken.  Why none is: what the last one says, whatever
   those before it said and errno has been.  */
TEST(test_error)
{
    static const struct ccprof_engine *const ends_with_never[] = {&first, &never, NULL};
    static const struct ccprof_engine *const begins_with_it[] = {&never, &first, NULL};

    errno = ENOTTY;
    ck_assert_int_eq(arm_with(none, self, false), EAGAIN);
    refuses = true;
    arm(self, false);
    ck_assert_int_eq(refused, 2);
    ck_assert_int_eq(arm_with(ends_with_never, self, false), EMFILE);
    ck_assert_int_eq(arm_with(begins_with_it, self, false), EACCES);
    ck_assert_ptr_null(ccprof_threads_find(self)->engine);
    refuses = false;
    ck_assert_int_eq(arm_with(begins_with_it, self, false), 0);
    ck_assert_ptr_eq(ccprof_threads_find(self)->engine, &first);
    /* It is armed already, so that no engine is asked.  */
    ck_assert_int_eq(arm_with(none, self, false), 0);
    ccprof_threads_disarm(self);
    ck_assert_int_eq(arm_with(engines, self, false), EAGAIN);
    ccprof_threads_stop();
    ck_assert_int_eq(arm_with(engines, self, true), 0);
}

/* Slots of threads that have ended are given to others, at once in a full bucket, and
   in time anywhere.  */
TEST(test_ended)
{
    const int many = 3 * CCPROF_THREADS_MAX;
    int slots = 0;

    for (pid_t tid = NOBODY; tid < NOBODY + many; tid++) {
        arm(tid, true);
        ck_assert_ptr_nonnull(ccprof_threads_find(tid));
        /* Slots of those that were about to end say nothing of the next ones.  */
        if (tid % 2)
            ccprof_threads_disarm(tid);
    }
    ck_assert_uint_eq(ccprof_threads_count(), (uint64_t)many);
    ck_assert_int_eq(arms, many);
    ck_assert_int_le(armed, CCPROF_THREADS_MAX / 2);
    arm(self, false);
    for (int i = 0; i < CCPROF_THREADS_MAX; i++)
        ccprof_threads_reap();
    for (pid_t tid = NOBODY; tid < NOBODY + many; tid++)
        slots += ccprof_threads_find(tid) != NULL;
    ck_assert_int_eq(slots, 0);
    ck_assert_ptr_nonnull(ccprof_threads_find(self));
    assert_armed(1, many + 1);
}

/* More threads than a bucket has room for, and those of its neighbours, whose numbers
   come to the same remainder: all have slots, until there is no room.  */
#define ALIKE   7
#define BUCKETS (CCPROF_THREADS_MAX / 4)

static pthread_barrier_t all_there, all_seen;
static _Atomic int stays;

/* One of the threads that have the same remainder, or it ends at once.  */
static void *alike(void *remainder)
{
    pid_t own = ccprof_sys_gettid();
    if (own % BUCKETS != *(int *)remainder)
        return NULL;
    stays++;
    if (arm_with(engines, own, true) != 0)
        wrong++;
    pthread_barrier_wait(&all_there);
    pthread_barrier_wait(&all_seen);
    const struct ccprof_thread *slot = ccprof_threads_find(own);
    if (!slot || slot->tid != own || !slot->engine)
        wrong++;
    ccprof_threads_disarm(own);
    return NULL;
}

TEST(test_alike)
{
    pthread_t alikes[ALIKE];
    int remainder = (self + 100) % BUCKETS;

    pthread_barrier_init(&all_there, NULL, ALIKE + 1);
    pthread_barrier_init(&all_seen, NULL, ALIKE + 1);
    for (int i = 0; i < ALIKE;) {
        int before = stays;
        threads_begin(&alikes[i], 1, alike, &remainder, 0);
        /* It stays, or it can be joined.  */
        while (stays == before && pthread_tryjoin_np(alikes[i], NULL) != 0)
            sched_yield();
        i += stays > before;
    }
    pthread_barrier_wait(&all_there);
    assert_armed(ALIKE, ALIKE);
    pthread_barrier_wait(&all_seen);
    threads_end(alikes, ALIKE);
    assert_armed(0, ALIKE);
}

TEST(test_stopped)
{
    arm(self, false);
    ccprof_threads_stop();
    assert_armed(0, 1);
    arm(self, false);
    arm(NOBODY, true);
    ccprof_threads_disarm(self);
    assert_armed(0, 1);
    ck_assert_ptr_null(ccprof_threads_find(NOBODY));

    /* A child has none of it and starts afresh.  */
    ccprof_threads_drop();
    ck_assert_uint_eq(ccprof_threads_count(), 0);
    ck_assert_ptr_null(ccprof_threads_find(self));
    arm(self, false);
    ck_assert_int_eq(arms, 2);
}

/* Tries once, as a handler does.  */
static void *arms_another(void *unused)
{
    arm(self, false);
    return NULL;
}

/* No thread is armed during a fork, and each end lets them be armed again; an end without
   a begin does nothing.  */
TEST(test_fork)
{
    ccprof_threads_fork_begin();
    in_another_thread(arms_another, NULL);
    ck_assert_int_eq(arms, 0);
    ccprof_threads_fork_end(false);
    ccprof_threads_fork_end(false);
    in_another_thread(arms_another, NULL);
    ck_assert_int_eq(arms, 1);
    ck_assert_uint_eq(ccprof_threads_armed(), 1);

    ccprof_threads_fork_begin();
    ccprof_threads_fork_end(true);
    ccprof_threads_drop();
    in_another_thread(arms_another, NULL);
    ck_assert_int_eq(arms, 2);
}

TEST_AROUND(setup, NULL)
