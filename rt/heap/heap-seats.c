/* SPDX-License-Identifier: MIT */
/* Implements seats and their gate.  Owns which seat a thread had last, and what is known
   of threads that do not give theirs back.  Called wherever the program calls its
   allocator, in any thread, by fork and where files are written.

   A thread that takes a seat sets its flag and then looks at the gate; who wants all
   seats closes the gate and then looks at the flags.  All of this is in one order for all
   threads (sequentially consistent): one of the two sees the other.  */

#define _GNU_SOURCE
#include <stddef.h>
#include <sys/single_threaded.h>
#include <time.h>

#include "rt/heap/heap-seats.h"
#include "rt/heap/heap-lock.h"
#include "rt/os/spin.h"
#include "rt/os/sys.h"

/* Nanoseconds that who wants all seats waits for a thread that does not give its own
   back, which may have been stopped for good; and that one who wants a seat waits for a
   fork, since the forking thread may wait for a lock that this one has.  */
#define SEATS_PATIENCE UINT64_C(1000000000)

/* The same after somebody has waited in vain; and at a gate that another process has
   closed: the parent, or one that shares its memory.  */
#define SEATS_IMPATIENCE UINT64_C(20000000)

/* Nanoseconds that a handler waits for all seats whose thread has interrupted itself.  */
#define SEATS_LAST UINT64_C(100000000)

/* Nanoseconds after which who waits for all seats looks whether it is to give up.  */
#define SEATS_LOOK UINT64_C(1000000)

/* Nanoseconds that who writes waits for a thread that forks.  That thread may wait for a
   lock of the allocator, which the writer's thread has where a signal has interrupted it
   there.  */
#define SEATS_FORK UINT64_C(10000000)

/* The number of the seat that the thread had last, plus 1.  */
static __thread uint32_t last;
static _Atomic uint32_t threads;

/* The seat that the thread has, or tries to take; null if it has none, or is the only
   thread.  */
static __thread struct ccprof_heap_seat *taken;

/* A thread that has a seat waits for the one that waits for all seats.  */
static _Atomic bool is_hurried;

/* A thread forks.  */
static _Atomic bool is_forking;

/* Somebody has waited in vain for all seats.  */
static _Atomic bool in_vain;

/* Somebody has waited in vain for one seat: nobody waits again until all seats were had
   and the gate is open.  */
static _Atomic bool is_stuck;

static uint64_t seats_now(void)
{
    return ccprof_sys_clock(CLOCK_MONOTONIC);
}

/* Takes the seat if it is free.  */
static bool seats_take_one(struct ccprof_heap_seats *seats, uint32_t number)
{
    struct ccprof_heap_seat *seat = &seats->seat[number];

    if (atomic_load_explicit(&seat->busy, memory_order_relaxed) != 0)
        return false;
    taken = seat;
    atomic_signal_fence(memory_order_seq_cst);
    if (atomic_exchange(&seat->busy, 1) == 0)
        return true;
    atomic_signal_fence(memory_order_seq_cst);
    taken = NULL;
    return false;
}

/* Tells whoever wants all seats that this one may be taken from now on.  */
static void seats_use(struct ccprof_heap_seats *seats, uint32_t number)
{
    uint32_t used = atomic_load(&seats->used);

    while (used <= number &&
           !atomic_compare_exchange_weak(&seats->used, &used, number + 1))
        continue;
}

/* Takes the seat NUMBER or another one.  */
static struct ccprof_heap_seat *seats_try(struct ccprof_heap_seats *seats,
                                          uint32_t number)
{
    for (uint32_t i = 0; i < CCPROF_HEAP_SEATS; i++) {
        uint32_t at = (number + i) % CCPROF_HEAP_SEATS;
        if (at + 1 != last)
            seats_use(seats, at);
        if (seats_take_one(seats, at)) {
            last = at + 1;
            return &seats->seat[at];
        }
    }
    return NULL;
}

/* Returns how long to wait for a seat where the gate is CLOSED.  */
static uint64_t seats_patience(uint32_t closed)
{
    if (closed == 0)
        return CCPROF_HEAP_PATIENCE;
    if (closed != (uint32_t)ccprof_sys_getpid())
        return SEATS_IMPATIENCE;
    return atomic_load(&is_forking) ? SEATS_PATIENCE : CCPROF_HEAP_PATIENCE;
}

/* Gives back the seat that was taken while the gate was closed, if any, waits and tries
   again.  */
static struct ccprof_heap_seat *seats_wait(struct ccprof_heap_seats *seats,
                                           uint32_t number, struct ccprof_heap_seat *seat)
{
    const uint64_t begun = seats_now();
    uint32_t closed = atomic_load(&seats->closed), turn = 0;

    while (!seat || closed) {
        const uint64_t until = begun + seats_patience(closed);
        if (seat)
            ccprof_heap_seats_give_back(seat);
        if (atomic_load(&is_stuck) || seats_now() >= until) {
            atomic_store(&is_stuck, true);
            return NULL;
        }
        if (closed)
            ccprof_lock_sleep(&seats->closed, closed, until);
        else
            ccprof_spin_pause(&turn);
        seat = seats_try(seats, number);
        closed = atomic_load(&seats->closed);
    }
    return seat;
}

struct ccprof_heap_seat *ccprof_heap_seats_take(struct ccprof_heap_seats *seats)
{
    const uint32_t number =
        last ? last - 1 : atomic_fetch_add(&threads, 1) % CCPROF_HEAP_SEATS;

    if (last && __libc_single_threaded)
        return &seats->seat[number];
    struct ccprof_heap_seat *seat = seats_try(seats, number);
    if (__builtin_expect(seat && !atomic_load(&seats->closed), true))
        return seat;
    return seats_wait(seats, number, seat);
}

void ccprof_heap_seats_give_back(struct ccprof_heap_seat *seat)
{
    atomic_store_explicit(&seat->busy, 0, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    taken = NULL;
}

const struct ccprof_heap_seat *ccprof_heap_seats_own(void)
{
    return taken;
}

/* Returns whether who wants all seats since BEGUN gives up.  */
static bool seats_give_up(enum ccprof_heap_seats_who who, uint64_t begun)
{
    const uint64_t waited = seats_now() - begun;

    if (who != CCPROF_HEAP_SEATS_FORK &&
        (atomic_load(&is_hurried) || (atomic_load(&is_forking) && waited >= SEATS_FORK)))
        return true;
    if (who == CCPROF_HEAP_SEATS_LAST)
        return waited >= SEATS_LAST;
    if (waited < (atomic_load(&in_vain) ? SEATS_IMPATIENCE : SEATS_PATIENCE))
        return false;
    atomic_store(&in_vain, true);
    return true;
}

/* Waits until nobody has one of the seats.  Who sets a flag from now on sees that the
   gate is closed, and takes it back.  */
static bool seats_wait_for_all(struct ccprof_heap_seats *seats,
                               enum ccprof_heap_seats_who who, uint64_t begun)
{
    const uint32_t count = atomic_load(&seats->used);
    uint32_t turn = 0;

    for (uint32_t i = 0; i < count; i++)
        while (&seats->seat[i] != taken && atomic_load(&seats->seat[i].busy) != 0) {
            if (turn != 0 && seats_give_up(who, begun))
                return false;
            ccprof_spin_pause(&turn);
        }
    return true;
}

static void seats_open(struct ccprof_heap_seats *seats)
{
    atomic_store(&is_forking, false);
    atomic_store(&seats->closed, 0);
    ccprof_lock_wake(&seats->closed);
    ccprof_lock_release(&seats->all);
}

bool ccprof_heap_seats_take_all(struct ccprof_heap_seats *seats,
                                enum ccprof_heap_seats_who who)
{
    const uint64_t begun = seats_now();

    if (who != CCPROF_HEAP_SEATS_FORK)
        atomic_store(&is_hurried, false);
    while (!ccprof_lock_wait(&seats->all, SEATS_LOOK))
        if (seats_give_up(who, begun))
            return false;
    atomic_store(&is_forking, who == CCPROF_HEAP_SEATS_FORK);
    atomic_store(&seats->closed, (uint32_t)ccprof_sys_getpid());
    if (!seats_wait_for_all(seats, who, begun)) {
        seats_open(seats);
        return false;
    }
    atomic_store(&in_vain, false);
    return true;
}

void ccprof_heap_seats_hurry(void)
{
    atomic_store(&is_hurried, true);
}

void ccprof_heap_seats_give_back_all(struct ccprof_heap_seats *seats)
{
    atomic_store(&is_stuck, false);
    seats_open(seats);
}

void ccprof_heap_seats_drop(struct ccprof_heap_seats *seats)
{
    for (uint32_t i = 0; i < atomic_load(&seats->used); i++)
        if (&seats->seat[i] != taken)
            atomic_store(&seats->seat[i].busy, 0);
    atomic_store(&in_vain, false);
    ccprof_heap_seats_give_back_all(seats);
}
