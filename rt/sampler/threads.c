/* SPDX-License-Identifier: MIT */
/* Owns the slots of threads. The thread's number determines the bucket of its slot,
   since the kernel numbers threads mostly in sequence. If the bucket is full, the
   slot is in one of the next buckets. All changes take the lock, except the stop of
   sampling. A thread's handler reads its slot without the lock. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "rt/sampler/threads.h"
#include "rt/os/lock.h"
#include "rt/os/proc.h"
#include "rt/os/sys.h"
#include "rt/os/timer.h"
#include "rt/sampler/engine.h"

#define THREADS_WAYS    4
#define THREADS_BUCKETS (CCPROF_THREADS_MAX / THREADS_WAYS)

/* The number of buckets in which a thread's slot may be. */
#define THREADS_PROBES 16

/* How long a thread that starts or ends waits for the lock, in nanoseconds. */
#define THREADS_PATIENCE 100000000u

/* Number of slots that one call of ccprof_threads_reap checks. */
#define THREADS_REAP 64

static struct ccprof_thread slots[CCPROF_THREADS_MAX];
/* Buckets that have ever been used. Other buckets are skipped, so that the kernel
   allocates no pages for them. */
static _Atomic bool bucket_used[THREADS_BUCKETS];
/* Buckets that have been full at some time: some of their threads may be in the next
   bucket. */
static _Atomic bool overflowed[THREADS_BUCKETS];
static ccprof_spin lock;
static _Atomic pid_t fork_holder; /* thread that holds the lock during its fork; or 0 */
static _Atomic bool stopped;
static unsigned next_reaped;
static _Atomic uint64_t count;

/* Waits for the lock. Only for code outside of handlers: the lock's holder, which may
   be a handler, then always continues. */
static bool threads_lock_patiently(void)
{
    return ccprof_spin_wait(&lock, THREADS_PATIENCE);
}

/* Returns one of the buckets in which the thread's slot may be. PROBE is from 0 to
   THREADS_PROBES - 1. */
static unsigned threads_bucket(pid_t tid, unsigned probe)
{
    return ((unsigned)tid + probe) % THREADS_BUCKETS;
}

/* Returns the first slot, from slot I on, whose bucket is in use; null if there is
   none. */
static struct ccprof_thread *threads_first_used(unsigned i)
{
    while (i < CCPROF_THREADS_MAX && !bucket_used[i / THREADS_WAYS])
        i = (i / THREADS_WAYS + 1) * THREADS_WAYS;
    return i < CCPROF_THREADS_MAX ? &slots[i] : NULL;
}

static struct ccprof_thread *threads_after(const struct ccprof_thread *slot)
{
    return threads_first_used((unsigned)(slot - slots) + 1);
}

struct ccprof_thread *ccprof_threads_find(pid_t tid)
{
    for (unsigned probe = 0; probe < THREADS_PROBES; probe++) {
        unsigned bucket = threads_bucket(tid, probe);
        struct ccprof_thread *slot = &slots[bucket * THREADS_WAYS];
        for (int i = 0; bucket_used[bucket] && i < THREADS_WAYS; i++)
            if (atomic_load_explicit(&slot[i].tid, memory_order_acquire) == tid)
                return &slot[i];
        if (!overflowed[bucket])
            break;
    }
    return NULL;
}

/* Disarms the slot's thread. If several threads do this at the same time, only the
   thread that gets the engine calls `disarm'. */
static void threads_release(struct ccprof_thread *slot)
{
    const struct ccprof_engine *engine = atomic_exchange(&slot->engine, NULL);
    if (engine)
        engine->disarm(slot);
}

static void threads_free_if_ended(struct ccprof_thread *slot)
{
    if (slot->tid == 0 || !ccprof_tasks_has_ended(slot->tid))
        return;
    threads_release(slot);
    atomic_store_explicit(&slot->tid, 0, memory_order_release);
}

static struct ccprof_thread *threads_add_in(unsigned bucket, pid_t tid)
{
    struct ccprof_thread *slot = &slots[bucket * THREADS_WAYS];

    bucket_used[bucket] = true;
    for (int i = 0; i < THREADS_WAYS; i++) {
        threads_free_if_ended(&slot[i]);
        if (slot[i].tid != 0)
            continue;
        slot[i].ending = false;
        atomic_store_explicit(&slot[i].tid, tid, memory_order_release);
        atomic_fetch_add(&count, 1);
        return &slot[i];
    }
    return NULL;
}

static struct ccprof_thread *threads_add(pid_t tid)
{
    for (unsigned probe = 0; probe < THREADS_PROBES; probe++) {
        unsigned bucket = threads_bucket(tid, probe);
        struct ccprof_thread *slot = threads_add_in(bucket, tid);
        if (slot)
            return slot;
        overflowed[bucket] = true;
    }
    return NULL;
}

static bool threads_is_armed(const struct ccprof_thread *slot)
{
    const struct ccprof_engine *engine = slot->engine;
    return engine && engine->is_armed(slot);
}

/* Arms the thread with the first engine that works. Returns 0, or the error of the
   last engine. */
static int threads_arm_with(struct ccprof_thread *slot,
                            const struct ccprof_engine *const *engines, uint64_t period)
{
    int error = EAGAIN;

    for (; *engines; engines++) {
        error = (*engines)->arm(slot, period);
        if (!error) {
            slot->engine = *engines;
            break;
        }
    }
    return error;
}

int ccprof_threads_arm(pid_t tid, const struct ccprof_engine *const *engines, bool begins,
                       uint64_t period)
{
    struct ccprof_thread *slot = NULL;
    int error = EBUSY;

    if (!(begins ? threads_lock_patiently() : ccprof_spin_try(&lock)))
        return EBUSY;
    if (!stopped) {
        slot = ccprof_threads_find(tid);
        if (!slot)
            slot = threads_add(tid);
    }
    if (slot && slot->ending && begins) {
        slot->ending = false;
        atomic_fetch_add(&count, 1);
    }
    if (slot && !slot->ending && !threads_is_armed(slot)) {
        threads_release(slot);
        error = threads_arm_with(slot, engines, period);
    }
    if (stopped || (slot && slot->engine))
        error = 0;
    ccprof_spin_release(&lock);
    return error;
}

void ccprof_threads_disarm(pid_t tid)
{
    struct ccprof_thread *slot;

    if (!threads_lock_patiently())
        return;
    slot = ccprof_threads_find(tid);
    if (slot && !stopped) {
        slot->ending = true;
        threads_release(slot);
    }
    ccprof_spin_release(&lock);
}

void ccprof_threads_reap(void)
{
    if (!ccprof_spin_try(&lock))
        return;
    for (int i = 0; i < THREADS_REAP && !stopped; i++, next_reaped++)
        if (bucket_used[next_reaped % CCPROF_THREADS_MAX / THREADS_WAYS])
            threads_free_if_ended(&slots[next_reaped % CCPROF_THREADS_MAX]);
    ccprof_spin_release(&lock);
}

/* If a timer is armed on the process's CPU clock, Linux updates this clock only at
   ticks. Reading the CPU clock of each thread adds the thread's latest CPU time
   (task_sched_runtime in the kernel's kernel/sched/core.c). */
void ccprof_threads_stop(void)
{
    /* Continue without the lock if its holder was interrupted for good, or is about to
       finish a single slot. */
    bool locked = ccprof_spin_try(&lock);
    stopped = true;
    for (struct ccprof_thread *slot = threads_first_used(0); slot;
         slot = threads_after(slot)) {
        pid_t tid = atomic_load_explicit(&slot->tid, memory_order_acquire);
        if (tid == 0)
            continue;
        threads_release(slot);
        ccprof_sys_clock(ccprof_timer_clock(tid));
    }
    ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    if (locked)
        ccprof_spin_release(&lock);
}

void ccprof_threads_resume(void)
{
    stopped = false;
}

uint64_t ccprof_threads_armed(void)
{
    uint64_t armed = 0;

    for (struct ccprof_thread *slot = threads_first_used(0); slot;
         slot = threads_after(slot)) {
        pid_t tid = atomic_load_explicit(&slot->tid, memory_order_acquire);
        if (tid != 0 && slot->engine && !ccprof_tasks_has_ended(tid))
            armed++;
    }
    return armed;
}

void ccprof_threads_fork_begin(void)
{
    if (threads_lock_patiently())
        atomic_store(&fork_holder, ccprof_sys_gettid());
}

void ccprof_threads_fork_end(bool child)
{
    pid_t holder = atomic_load(&fork_holder);

    if (holder == 0 || (!child && holder != ccprof_sys_gettid()))
        return;
    atomic_store(&fork_holder, 0);
    ccprof_spin_release(&lock);
}

void ccprof_threads_drop(void)
{
    const struct ccprof_engine *engine;

    for (struct ccprof_thread *slot = threads_first_used(0); slot;
         slot = threads_after(slot)) {
        if (slot->tid == 0)
            continue;
        engine = slot->engine;
        if (engine && engine->drop && !stopped)
            engine->drop(slot);
        memset(slot, 0, sizeof *slot);
    }
    stopped = false;
    ccprof_remainder_drop();
    atomic_store(&count, 0);
    ccprof_spin_release(&lock);
}

uint64_t ccprof_threads_count(void)
{
    return atomic_load(&count);
}

bool ccprof_threads_holds(const void *address)
{
    return (uintptr_t)address >= (uintptr_t)slots &&
           (uintptr_t)address < (uintptr_t)(slots + CCPROF_THREADS_MAX);
}
