/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/sampler/threads.c rt/sampler/engine.c rt/os/timer.c */
/* links: rt/os/lock.c */
/* The slots of threads, with an engine that only records its calls: the armed threads,
   their engines, and the reuse of slots. Threads may start, end, be checked by others and
   be stopped at the same time: no thread is armed twice, and none stays armed. */

#include "rt_tests.h"
#include <sys/syscall.h>

#include "rt/os/sys.h"
#include "rt/os/proc.h"
#include "rt/sampler/threads.h"

/* The handle that the engine stores in a slot. */
enum { ARMED = 1, DISARMED = 2 };

static _Atomic int armed, arms, wrong;
static _Atomic bool refuses, forgets;

static int fake_arm(struct ccprof_thread *thread, uint64_t period)
{
    if (refuses)
        return EACCES;
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

/* `forgets' simulates a program that has closed the engine's descriptors. */
static bool fake_is_armed(const struct ccprof_thread *thread)
{
    return !forgets;
}

static struct ccprof_taken fake_take(struct ccprof_thread *thread, const siginfo_t *info,
                                     bool at_call)
{
    bool own = thread->tid == ccprof_sys_gettid();
    return (struct ccprof_taken){.samples = own ? ++thread->kernel : 0};
}

static const struct ccprof_engine first = {"first", fake_arm,      fake_disarm,
                                           NULL,    fake_is_armed, fake_take};
static const struct ccprof_engine *const engines[] = {&first, NULL};

static int arm(pid_t tid, bool begins)
{
    return ccprof_threads_arm(tid, engines, begins, 1234);
}

/* Checks that NOW threads are armed, that threads were armed as OFTEN, and that there was
   no error. */
static void assert_armed(int now, int often)
{
    ck_assert_int_eq(armed, now);
    ck_assert_int_eq(arms, often);
    ck_assert_int_eq(wrong, 0);
}

/* Thread IDs from here on are unknown to the kernel. Their threads count as ended unless
   nobody_ends is set. */
#define NOBODY 0x10000000

static bool nobody_ends;

bool ccprof_tasks_has_ended(pid_t tid)
{
    return !nobody_ends && syscall(SYS_tgkill, getpid(), tid, 0) != 0;
}

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
    ck_assert(ccprof_threads_holds(slot));
    ck_assert(!ccprof_threads_holds(slot + CCPROF_THREADS_MAX));
    ck_assert(!ccprof_threads_holds(&slot));
    arm(self, false);
    assert_armed(1, 1);

    /* The engine's data are lost, and then the engine fails. */
    forgets = true;
    refuses = true;
    ck_assert_int_eq(arm(self, false), EACCES);
    refuses = false;
    ck_assert_int_eq(arm(self, false), 0);
    assert_armed(1, 2);
    forgets = false;

    ccprof_threads_disarm(self);
    assert_armed(0, 2);
    /* The thread is about to end. A late attempt to arm it has no effect. */
    ck_assert_int_eq(arm(self, false), EBUSY);
    assert_armed(0, 2);
    ck_assert_uint_eq(ccprof_threads_count(), 1);
    /* Another thread with the same number is armed. */
    arm(self, true);
    assert_armed(1, 3);
    ck_assert_uint_eq(ccprof_threads_count(), 2);

    ccprof_threads_stop();
    arm(self, false);
    ck_assert_int_eq(arm(NOBODY, true), 0);
    assert_armed(0, 3);
    ck_assert_ptr_null(ccprof_threads_find(NOBODY));
    /* A child starts without any slots. */
    ccprof_threads_drop();
    ck_assert_uint_eq(ccprof_threads_count(), 0);
    arm(self, false);
    ck_assert_int_eq(arms, 4);
}

/* Slots of ended threads are reused: immediately in a full bucket, later in other
   buckets. */
TEST(test_ended)
{
    const int many = 3 * CCPROF_THREADS_MAX;
    int slots = 0;

    for (pid_t tid = NOBODY; tid < NOBODY + many; tid++) {
        arm(tid, true);
        ck_assert_ptr_nonnull(ccprof_threads_find(tid));
        /* Threads that are disarmed before they end do not affect the next threads. */
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

/* More threads in one bucket than it has room for, because their numbers have the same
   remainder. All get slots. */
TEST(test_alike)
{
    enum { ALIKE = 7, BUCKETS = CCPROF_THREADS_MAX / 4 };

    nobody_ends = true;
    for (pid_t tid = NOBODY; tid < NOBODY + ALIKE * BUCKETS; tid += BUCKETS)
        ck_assert_int_eq(arm(tid, true), 0);
    for (pid_t tid = NOBODY; tid < NOBODY + ALIKE * BUCKETS; tid += BUCKETS) {
        const struct ccprof_thread *slot = ccprof_threads_find(tid);
        ck_assert(slot && slot->tid == tid && slot->engine);
    }
    assert_armed(ALIKE, ALIKE);
    for (pid_t tid = NOBODY; tid < NOBODY + ALIKE * BUCKETS; tid += BUCKETS)
        ccprof_threads_disarm(tid);
    assert_armed(0, ALIKE);
}

/* Tries once, like a handler. */
static void *arms_another(void *unused)
{
    arm(self, false);
    return NULL;
}

/* No thread is armed during a fork. Each end of a fork allows threads to be armed again.
   An end without a begin has no effect. */
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

#define THREADS 8
#define ROUNDS  40

/* The threads that other threads can check. */
static _Atomic pid_t seen[THREADS];
static _Atomic int begun, missed;
static _Atomic bool enough;

/* Does the sampler's work at a signal. If the thread's own engine has lost its data, the
   thread arms itself. */
static void handler(pid_t own, uint64_t *taken)
{
    struct ccprof_thread *thread = ccprof_threads_find(own);
    const struct ccprof_engine *engine = thread ? thread->engine : NULL;

    if (engine && engine->is_armed(thread)) {
        if (engine->take(thread, NULL, false).samples != ++*taken)
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
    arm(own, true);
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

/* Runs one thread after the other. */
static void *lives(void *place)
{
    for (int i = 0; i < ROUNDS; i++)
        in_another_thread(life, place);
    return NULL;
}

/* The thread that checks the others, as the sampler does. */
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

/* Nothing is armed afterwards. */
static void finish(void)
{
    threads_end(threads, THREADS);
    enough = true;
    threads_end(&looker, 1);
    ccprof_threads_stop();
    assert_armed(0, arms);
    ck_assert_int_eq(begun, THREADS * ROUNDS);
}

/* Every thread has its slot, except a few that waited too long, and is armed once in its
   lifetime. Its number may have belonged to an earlier thread. In the second run, the
   engine loses its data while the threads are checked. */
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

/* The run ends at the same time. */
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

TEST_AROUND(setup, NULL)
