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
#include "rt/os/lock.h"
#include "rt/os/sys.h"

/* Nanoseconds that who wants all seats waits for a thread that does not give its own
   back, which may have been stopped for good; and that one who wants a seat waits for a
   fork, since the forking thread may wait for a lock that this one has.  */
#define SEATS_PATIENCE UINT64_C(1000000000)

/* The same for a thread that somebody has waited for in vain; and at a gate that another
   process has closed: the parent, or one that shares its memory.  */
#define SEATS_IMPATIENCE UINT64_C(20000000)

/* Nanoseconds that a handler waits for all seats whose thread has interrupted itself.  */
#define SEATS_LAST UINT64_C(100000000)

/* Nanoseconds after which who waits for all seats looks whether it is to give up.  */
#define SEATS_LOOK UINT64_C(1000000)

/* Nanoseconds that who writes waits for a thread that forks.  That thread may wait for a
   lock of the allocator, which the writer's thread has where a signal has interrupted it
   there.  */
#define SEATS_FORK UINT64_C(10000000)

/* Whether somebody has a seat, and whether somebody else has waited in vain for it.  */
enum { SEATS_FREE, SEATS_TAKEN, SEATS_IN_VAIN };

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

    if (atomic_load_explicit(&seat->busy, memory_order_relaxed) != SEATS_FREE)
        return false;
    taken = seat;
    atomic_signal_fence(memory_order_seq_cst);
    if (atomic_exchange(&seat->busy, SEATS_TAKEN) == SEATS_FREE)
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

static bool seats_closed(uint32_t gate)
{
    return gate & 1;
}

/* Returns how long to wait for a seat.  */
static uint64_t seats_patience(const struct ccprof_heap_seats *seats, uint32_t gate)
{
    if (!seats_closed(gate))
        return CCPROF_HEAP_PATIENCE;
    if (atomic_load(&seats->closer) != (uint32_t)ccprof_sys_getpid())
        return SEATS_IMPATIENCE;
    return atomic_load(&is_forking) ? SEATS_PATIENCE : CCPROF_HEAP_PATIENCE;
}

/* Gives back the seat that was taken while the gate was closed, if any, waits and tries
   again, with new patience where the gate is opened and closed again.  */
static struct ccprof_heap_seat *seats_wait(struct ccprof_heap_seats *seats,
                                           uint32_t number, struct ccprof_heap_seat *seat)
{
    uint64_t begun = seats_now();
    uint32_t gate = atomic_load(&seats->gate), turn = 0;

    while (!seat || seats_closed(gate)) {
        const uint64_t until = begun + seats_patience(seats, gate);
        if (seat)
            ccprof_heap_seats_give_back(seat);
        if (atomic_load(&is_stuck) || seats_now() >= until) {
            atomic_store(&is_stuck, true);
            return NULL;
        }
        if (seats_closed(gate))
            ccprof_lock_sleep(&seats->gate, gate, until);
        else
            ccprof_spin_pause(&turn);
        seat = seats_try(seats, number);
        const uint32_t before = gate;
        gate = atomic_load(&seats->gate);
        if (gate != before)
            begun = seats_now();
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
    if (__builtin_expect(seat && !seats_closed(atomic_load(&seats->gate)), true))
        return seat;
    return seats_wait(seats, number, seat);
}

void ccprof_heap_seats_give_back(struct ccprof_heap_seat *seat)
{
    atomic_store_explicit(&seat->busy, SEATS_FREE, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    taken = NULL;
}

const struct ccprof_heap_seat *ccprof_heap_seats_own(void)
{
    return taken;
}

/* Returns whether who wants all seats since BEGUN gives up; PATIENCE is how long it waits
   if nothing else is the matter.  */
static bool seats_give_up(enum ccprof_heap_seats_who who, uint64_t begun,
                          uint64_t patience)
{
    const uint64_t waited = seats_now() - begun;

    if (who != CCPROF_HEAP_SEATS_FORK &&
        (atomic_load(&is_hurried) || (atomic_load(&is_forking) && waited >= SEATS_FORK)))
        return true;
    if (who == CCPROF_HEAP_SEATS_LAST && patience > SEATS_LAST)
        patience = SEATS_LAST;
    return waited >= patience;
}

/* Waits until the thread that has the seat has given it back.  Where that is in vain the
   seat is marked until it does so.  */
static bool seats_wait_for(struct ccprof_heap_seat *seat, enum ccprof_heap_seats_who who,
                           uint64_t begun)
{
    uint32_t busy, turn = 0;

    while ((busy = atomic_load(&seat->busy)) != SEATS_FREE) {
        const bool marked = busy == SEATS_IN_VAIN;
        if (turn != 0 &&
            seats_give_up(who, begun, marked ? SEATS_IMPATIENCE : SEATS_PATIENCE)) {
            if (seats_now() - begun >= SEATS_PATIENCE)
                atomic_compare_exchange_strong(&seat->busy, &busy, SEATS_IN_VAIN);
            return false;
        }
        ccprof_spin_pause(&turn);
    }
    return true;
}

/* Waits until nobody has one of the seats.  Who sets a flag from now on sees that the
   gate is closed, and takes it back.  */
static bool seats_wait_for_all(struct ccprof_heap_seats *seats,
                               enum ccprof_heap_seats_who who, uint64_t begun)
{
    const uint32_t count = atomic_load(&seats->used);

    for (uint32_t i = 0; i < count; i++)
        if (&seats->seat[i] != taken && !seats_wait_for(&seats->seat[i], who, begun))
            return false;
    return true;
}

static void seats_open(struct ccprof_heap_seats *seats)
{
    atomic_store(&is_forking, false);
    if (seats_closed(atomic_load(&seats->gate)))
        atomic_fetch_add(&seats->gate, 1);
    ccprof_lock_wake(&seats->gate);
    ccprof_lock_release(&seats->all);
}

bool ccprof_heap_seats_take_all(struct ccprof_heap_seats *seats,
                                enum ccprof_heap_seats_who who)
{
    const uint64_t begun = seats_now();

    if (who != CCPROF_HEAP_SEATS_FORK)
        atomic_store(&is_hurried, false);
    /* A fork of a large process, and a copy of a large heap, take seconds.  */
    while (!ccprof_lock_wait(&seats->all, SEATS_LOOK))
        if (seats_give_up(who, begun, CCPROF_HEAP_PATIENCE))
            return false;
    atomic_store(&is_forking, who == CCPROF_HEAP_SEATS_FORK);
    atomic_store(&seats->closer, (uint32_t)ccprof_sys_getpid());
    atomic_fetch_add(&seats->gate, 1);
    if (!seats_wait_for_all(seats, who, seats_now())) {
        seats_open(seats);
        return false;
    }
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
            atomic_store(&seats->seat[i].busy, SEATS_FREE);
    ccprof_heap_seats_give_back_all(seats);
}
