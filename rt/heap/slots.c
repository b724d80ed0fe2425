/* SPDX-License-Identifier: MIT */
/* Implements slots, their gate and the lock. Owns the thread's last slot, and flags
   about threads that do not give back their slot or the lock. Called by heap.c when
   the program calls its allocator, in any thread, and by held.c for fork and for
   writing files.

   A thread that takes a slot first sets the slot's flag and then reads the gate. A
   thread that wants every slot first closes the gate and then reads the flags. All
   threads see these accesses in one order (sequential consistency), so that at least
   one of the two threads sees the other. */

#define _GNU_SOURCE
#include <stddef.h>
#include <sys/single_threaded.h>
#include <time.h>
#include <stdatomic.h>

#include "rt/heap/slots.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"

/* Two waiting times in nanoseconds. A thread that wants every slot waits this long
   for a thread that keeps its slot, since that thread may have been stopped for good.
   A thread that wants a slot waits this long for a fork, since the forking thread may
   wait for a lock that the waiting thread holds. */
#define SLOTS_PATIENCE UINT64_C(1000000000)

/* Shorter limits of waiting, in nanoseconds. They apply if another thread has already
   waited for the same thread without success, and at a gate closed by another process
   (the parent, or a process that shares the memory). */
#define SLOTS_IMPATIENCE UINT64_C(20000000)

/* How long a handler that has interrupted its thread inside waits for every slot, in
   nanoseconds. */
#define SLOTS_LAST UINT64_C(100000000)

/* Interval in nanoseconds at which a thread that waits for every slot checks whether
   to give up. */
#define SLOTS_CHECK UINT64_C(1000000)

/* How long a thread that writes a file waits for a thread that forks, in nanoseconds.
   The forking thread may wait for a lock of the allocator, and the writer's own thread
   holds this lock if a signal has interrupted it in the allocator. */
#define SLOTS_FORK UINT64_C(10000000)

/* States of a slot. SLOTS_OVERDUE: the slot is taken, and a thread has waited for it
   without success. */
enum { SLOTS_FREE, SLOTS_TAKEN, SLOTS_OVERDUE };

/* Index of the thread's last slot, plus 1. */
static __thread uint32_t last_slot;
static _Atomic uint32_t threads;

/* The slot that the thread has or tries to take. Null if there is none, or in a
   process with one thread. */
static __thread struct ccprof_heap_slot *own_slot;

/* The thread that wants every slot must give up, since a thread that has a slot waits for
   it. */
static _Atomic bool must_give_up;

/* A thread is forking. */
static _Atomic bool is_forking;

/* A thread has waited for a slot without success. No thread waits again until some
   thread has had every slot and opened the gate. */
static _Atomic bool is_stuck;

static uint64_t slots_now(void)
{
    return ccprof_sys_clock(CLOCK_MONOTONIC);
}

/* Takes the slot if it is free. */
static bool slots_take_one(struct ccprof_heap_slots *slots, uint32_t number)
{
    struct ccprof_heap_slot *slot = &slots->slot[number];

    if (atomic_load_explicit(&slot->busy, memory_order_relaxed) != SLOTS_FREE)
        return false;
    own_slot = slot;
    atomic_signal_fence(memory_order_seq_cst);
    if (atomic_exchange(&slot->busy, SLOTS_TAKEN) == SLOTS_FREE)
        return true;
    atomic_signal_fence(memory_order_seq_cst);
    own_slot = NULL;
    return false;
}

/* Records that the slot may be taken from now on, for threads that want every slot. */
static void slots_mark_used(struct ccprof_heap_slots *slots, uint32_t number)
{
    uint32_t used = atomic_load(&slots->used);

    while (used <= number &&
           !atomic_compare_exchange_weak(&slots->used, &used, number + 1))
        continue;
}

/* Takes the slot NUMBER or another one. Returns null if none is free. */
static struct ccprof_heap_slot *slots_try(struct ccprof_heap_slots *slots,
                                          uint32_t number)
{
    for (uint32_t i = 0; i < CCPROF_HEAP_SLOTS; i++) {
        uint32_t index = (number + i) % CCPROF_HEAP_SLOTS;
        if (index + 1 != last_slot)
            slots_mark_used(slots, index);
        if (slots_take_one(slots, index)) {
            last_slot = index + 1;
            return &slots->slot[index];
        }
    }
    return NULL;
}

static bool gate_is_closed(uint32_t gate)
{
    return gate & 1;
}

/* Returns how long to wait for a slot, in nanoseconds. */
static uint64_t slots_patience(const struct ccprof_heap_slots *slots, uint32_t gate)
{
    if (!gate_is_closed(gate))
        return CCPROF_HEAP_PATIENCE;
    if (atomic_load(&slots->closer) != (uint32_t)ccprof_sys_getpid())
        return SLOTS_IMPATIENCE;
    return atomic_load(&is_forking) ? SLOTS_PATIENCE : CCPROF_HEAP_PATIENCE;
}

/* Waits for a slot. SLOT, unless it is null, was taken while the gate was closed and
   is given back first. The waiting time starts again when the gate is opened or
   closed. */
static struct ccprof_heap_slot *slots_wait(struct ccprof_heap_slots *slots,
                                           uint32_t number, struct ccprof_heap_slot *slot)
{
    uint64_t start = slots_now();
    uint32_t gate = atomic_load(&slots->gate), turn = 0;

    while (!slot || gate_is_closed(gate)) {
        const uint64_t until = start + slots_patience(slots, gate);
        if (slot)
            ccprof_heap_slots_give_back(slot);
        if (atomic_load(&is_stuck) || slots_now() >= until) {
            atomic_store(&is_stuck, true);
            return NULL;
        }
        if (gate_is_closed(gate))
            ccprof_lock_sleep(&slots->gate, gate, until);
        else
            ccprof_spin_pause(&turn);
        slot = slots_try(slots, number);
        const uint32_t before = gate;
        gate = atomic_load(&slots->gate);
        if (gate != before)
            start = slots_now();
    }
    return slot;
}

struct ccprof_heap_slot *ccprof_heap_slots_take(struct ccprof_heap_slots *slots)
{
    const uint32_t number =
        last_slot ? last_slot - 1 : atomic_fetch_add(&threads, 1) % CCPROF_HEAP_SLOTS;

    if (last_slot && __libc_single_threaded)
        return &slots->slot[number];
    struct ccprof_heap_slot *slot = slots_try(slots, number);
    if (__builtin_expect(slot && !gate_is_closed(atomic_load(&slots->gate)), true))
        return slot;
    return slots_wait(slots, number, slot);
}

void ccprof_heap_slots_give_back(struct ccprof_heap_slot *slot)
{
    atomic_store_explicit(&slot->busy, SLOTS_FREE, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    own_slot = NULL;
}

const struct ccprof_heap_slot *ccprof_heap_slots_own(void)
{
    return own_slot;
}

/* Returns true if the thread that has waited for every slot since START should give
   up. PATIENCE is its waiting time if no thread waits for it. */
static bool slots_give_up(enum ccprof_heap_slots_purpose purpose, uint64_t start,
                          uint64_t patience)
{
    const uint64_t waited = slots_now() - start;

    if (purpose != CCPROF_HEAP_SLOTS_FORK &&
        (atomic_load(&must_give_up) ||
         (atomic_load(&is_forking) && waited >= SLOTS_FORK)))
        return true;
    if (purpose == CCPROF_HEAP_SLOTS_LAST && patience > SLOTS_LAST)
        patience = SLOTS_LAST;
    return waited >= patience;
}

/* Waits until the slot is given back. If this takes too long, marks the slot as
   SLOTS_OVERDUE. */
static bool slots_wait_for(struct ccprof_heap_slot *slot,
                           enum ccprof_heap_slots_purpose purpose, uint64_t start)
{
    uint32_t busy, turn = 0;

    while ((busy = atomic_load(&slot->busy)) != SLOTS_FREE) {
        const bool marked = busy == SLOTS_OVERDUE;
        if (turn != 0 &&
            slots_give_up(purpose, start, marked ? SLOTS_IMPATIENCE : SLOTS_PATIENCE)) {
            if (slots_now() - start >= SLOTS_PATIENCE)
                atomic_compare_exchange_strong(&slot->busy, &busy, SLOTS_OVERDUE);
            return false;
        }
        ccprof_spin_pause(&turn);
    }
    return true;
}

/* Waits until no thread has a slot. A thread that sets a flag from now on sees the
   closed gate and clears its flag again. */
static bool slots_wait_for_all(struct ccprof_heap_slots *slots,
                               enum ccprof_heap_slots_purpose purpose, uint64_t start)
{
    const uint32_t count = atomic_load(&slots->used);

    for (uint32_t i = 0; i < count; i++)
        if (&slots->slot[i] != own_slot &&
            !slots_wait_for(&slots->slot[i], purpose, start))
            return false;
    return true;
}

static void slots_open(struct ccprof_heap_slots *slots)
{
    atomic_store(&is_forking, false);
    if (gate_is_closed(atomic_load(&slots->gate)))
        atomic_fetch_add(&slots->gate, 1);
    ccprof_lock_wake(&slots->gate);
    ccprof_lock_release(&slots->all);
}

bool ccprof_heap_slots_take_all(struct ccprof_heap_slots *slots,
                                enum ccprof_heap_slots_purpose purpose)
{
    const uint64_t start = slots_now();

    if (purpose != CCPROF_HEAP_SLOTS_FORK)
        atomic_store(&must_give_up, false);
    /* Forking a large process or copying a large heap takes seconds. */
    while (!ccprof_lock_wait(&slots->all, SLOTS_CHECK))
        if (slots_give_up(purpose, start, CCPROF_HEAP_PATIENCE))
            return false;
    atomic_store(&is_forking, purpose == CCPROF_HEAP_SLOTS_FORK);
    atomic_store(&slots->closer, (uint32_t)ccprof_sys_getpid());
    atomic_fetch_add(&slots->gate, 1);
    if (!slots_wait_for_all(slots, purpose, slots_now())) {
        slots_open(slots);
        return false;
    }
    return true;
}

void ccprof_heap_slots_hurry(void)
{
    atomic_store(&must_give_up, true);
}

void ccprof_heap_slots_give_back_all(struct ccprof_heap_slots *slots)
{
    atomic_store(&is_stuck, false);
    slots_open(slots);
}

void ccprof_heap_slots_drop(struct ccprof_heap_slots *slots)
{
    for (uint32_t i = 0; i < atomic_load(&slots->used); i++)
        if (&slots->slot[i] != own_slot)
            atomic_store(&slots->slot[i].busy, SLOTS_FREE);
}

/* A thread has waited for the lock without success, and the lock was not given back
   since. */
static _Atomic bool lock_is_stuck;

/* The thread has the lock or tries to take it; false while it waits. Also set in a
   process with one thread. */
static __thread bool lock_is_own;

static void lock_set_own(bool is)
{
    atomic_signal_fence(memory_order_seq_cst);
    lock_is_own = is;
    atomic_signal_fence(memory_order_seq_cst);
}

static bool lock_wait(ccprof_lock *lock)
{
    lock_set_own(false);
    if (atomic_load(&lock_is_stuck))
        return false;
    if (ccprof_lock_wait(lock, CCPROF_HEAP_PATIENCE)) {
        lock_set_own(true);
        return true;
    }
    atomic_store(&lock_is_stuck, true);
    return false;
}

bool ccprof_heap_lock_take(ccprof_lock *lock)
{
    lock_set_own(true);
    return __libc_single_threaded || ccprof_lock_try(lock) || lock_wait(lock);
}

void ccprof_heap_lock_give_back(ccprof_lock *lock)
{
    if (!__libc_single_threaded) {
        if (__builtin_expect(atomic_load_explicit(&lock_is_stuck, memory_order_relaxed),
                             false))
            atomic_store(&lock_is_stuck, false);
        ccprof_lock_release(lock);
    }
    lock_set_own(false);
}

bool ccprof_heap_lock_is_mine(void)
{
    return lock_is_own;
}
