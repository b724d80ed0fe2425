/* SPDX-License-Identifier: MIT */
/* Owns the slots: buckets of a few, since the kernel's numbers of threads mostly
   follow each other.  Changes take the lock; a thread's engine is taken from its
   slot by its own handler only.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "spin.h"
#include "sys.h"
#include "threads.h"

#define THREADS_WAYS    4
#define THREADS_BUCKETS (CCPROF_THREADS_MAX / THREADS_WAYS)

/* Slots that one reap looks at.  */
#define THREADS_REAP 64

static struct ccprof_thread slots[CCPROF_THREADS_MAX];
static ccprof_spin busy;
static bool stopped;
static unsigned reaped;
static _Atomic uint64_t count;

static struct ccprof_thread *threads_bucket(pid_t tid)
{
    return &slots[(unsigned)tid % THREADS_BUCKETS * THREADS_WAYS];
}

static struct ccprof_thread *threads_look(pid_t bucket, pid_t tid)
{
    struct ccprof_thread *slot = threads_bucket(bucket);
    for (int i = 0; i < THREADS_WAYS; i++)
        if (atomic_load_explicit(&slot[i].tid, memory_order_acquire) == tid)
            return &slot[i];
    return NULL;
}

struct ccprof_thread *ccprof_threads_find(pid_t tid)
{
    return threads_look(tid, tid);
}

static void threads_free(struct ccprof_thread *slot)
{
    if (slot->engine)
        slot->engine->disarm(slot);
    slot->engine = NULL;
    atomic_store_explicit(&slot->tid, 0, memory_order_release);
}

/* The kernel's number may have been given to another process since.  */
static bool threads_has_ended(pid_t tid)
{
    return syscall(SYS_tgkill, ccprof_sys_getpid(), tid, 0) != 0 && errno == ESRCH;
}

static struct ccprof_thread *threads_room(pid_t tid)
{
    struct ccprof_thread *slot = threads_bucket(tid);
    for (int i = 0; i < THREADS_WAYS; i++) {
        if (slot[i].tid != 0 && threads_has_ended(slot[i].tid))
            threads_free(&slot[i]);
        if (slot[i].tid == 0)
            return &slot[i];
    }
    return NULL;
}

bool ccprof_threads_add(pid_t tid, const struct ccprof_engine *const *engines,
                        uint64_t period)
{
    struct ccprof_thread *slot = NULL;

    if (!ccprof_spin_try(&busy))
        return false;
    if (!stopped && !ccprof_threads_find(tid))
        slot = threads_room(tid);
    if (slot) {
        atomic_fetch_add(&count, 1);
        atomic_store_explicit(&slot->tid, tid, memory_order_release);
        for (; *engines && !slot->engine; engines++)
            if ((*engines)->arm(slot, period) == 0)
                slot->engine = *engines;
    }
    ccprof_spin_release(&busy);
    return slot != NULL;
}

void ccprof_threads_remove(pid_t tid)
{
    struct ccprof_thread *slot;

    if (!ccprof_spin_try(&busy))
        return;
    slot = ccprof_threads_find(tid);
    if (slot && !stopped)
        threads_free(slot);
    ccprof_spin_release(&busy);
}

void ccprof_threads_reap(void)
{
    if (!ccprof_spin_try(&busy))
        return;
    for (int i = 0; i < THREADS_REAP && !stopped; i++) {
        struct ccprof_thread *slot = &slots[reaped++ % CCPROF_THREADS_MAX];
        if (slot->tid != 0 && threads_has_ended(slot->tid))
            threads_free(slot);
    }
    ccprof_spin_release(&busy);
}

void ccprof_threads_stop(void)
{
    /* Who holds the lock, if it is not to be had, was cut off or is about to
       finish with one slot.  */
    bool locked = ccprof_spin_try(&busy);
    stopped = true;
    for (int i = 0; i < CCPROF_THREADS_MAX; i++)
        if (slots[i].tid != 0 && slots[i].engine)
            slots[i].engine->disarm(&slots[i]);
    if (locked)
        ccprof_spin_release(&busy);
}

void ccprof_threads_drop(void)
{
    for (int i = 0; i < CCPROF_THREADS_MAX; i++) {
        if (slots[i].tid == 0)
            continue;
        if (slots[i].engine && slots[i].engine->drop && !stopped)
            slots[i].engine->drop(&slots[i]);
        memset(&slots[i], 0, sizeof slots[i]);
    }
    stopped = false;
    atomic_store(&count, 0);
    ccprof_spin_release(&busy);
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
