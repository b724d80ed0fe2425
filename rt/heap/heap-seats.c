/* SPDX-License-Identifier: MIT */
/* Implements seats.  Owns which seat a thread had last.  Called wherever the program
   calls its allocator, in any thread, by fork and where files are written.  */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <sys/single_threaded.h>
#include <time.h>

#include "rt/heap/heap-seats.h"
#include "rt/heap/heap-lock.h"
#include "rt/os/sys.h"

/* Nanoseconds that who waits for all seats waits after having waited in vain: a thread
   may have been stopped for good.  */
#define SEATS_IMPATIENCE UINT64_C(20000000)

static _Atomic bool in_vain;

/* Nanoseconds after which who waits for all seats looks whether it is to give up.  */
#define SEATS_LOOK 1000000u

/* A thread that has a seat waits for the one that waits for all seats.  */
static _Atomic bool is_hurried;

/* The number of the seat that the thread had last, plus 1.  */
static __thread uint32_t last;
static _Atomic uint32_t threads;

/* Somebody has waited in vain: nobody waits again until all seats could be had.  */
static _Atomic bool is_stuck;

/* Takes the seat NUMBER or another one.  */
static struct ccprof_heap_seat *seats_try(struct ccprof_heap_seats *seats,
                                          uint32_t number)
{
    for (uint32_t i = 0; i < CCPROF_HEAP_SEATS; i++) {
        struct ccprof_heap_seat *seat = &seats->seat[(number + i) % CCPROF_HEAP_SEATS];
        if (ccprof_spin_try_once(&seat->busy)) {
            last = (uint32_t)(seat - seats->seat) + 1;
            return seat;
        }
    }
    return NULL;
}

/* Waits asleep while somebody has all seats, and otherwise lets other threads run.  */
static struct ccprof_heap_seat *seats_wait(struct ccprof_heap_seats *seats,
                                           uint32_t number)
{
    const uint64_t until = ccprof_sys_clock(CLOCK_MONOTONIC) + CCPROF_HEAP_PATIENCE;
    struct ccprof_heap_seat *seat = NULL;

    while (!seat && !atomic_load(&is_stuck) &&
           ccprof_sys_clock(CLOCK_MONOTONIC) < until) {
        if (ccprof_lock_wait(&seats->gate, CCPROF_HEAP_PATIENCE))
            ccprof_lock_release(&seats->gate);
        ccprof_sys_yield();
        seat = seats_try(seats, number);
    }
    if (!seat)
        atomic_store(&is_stuck, true);
    return seat;
}

struct ccprof_heap_seat *ccprof_heap_seats_take(struct ccprof_heap_seats *seats)
{
    const uint32_t number = last ? last - 1 : atomic_fetch_add(&threads, 1);

    if (last && __libc_single_threaded)
        return &seats->seat[number];
    struct ccprof_heap_seat *seat = seats_try(seats, number);
    return seat ? seat : seats_wait(seats, number);
}

void ccprof_heap_seats_give_back(struct ccprof_heap_seat *seat)
{
    ccprof_spin_release(&seat->busy);
}

/* A thread that forks has all seats: nothing changes.  It may wait for a lock of the
   allocator that the thread has which its signal's handler has interrupted.  */
static _Atomic bool is_forking;

/* Returns whether who waits for all seats gives up.  */
static bool seats_give_up(bool hurries, uint64_t until)
{
    return (hurries && (atomic_load(&is_hurried) || atomic_load(&is_forking))) ||
           ccprof_sys_clock(CLOCK_MONOTONIC) >= until;
}

bool ccprof_heap_seats_take_all(struct ccprof_heap_seats *seats, bool hurries)
{
    const uint64_t until =
        ccprof_sys_clock(CLOCK_MONOTONIC) +
        (atomic_load(&in_vain) ? SEATS_IMPATIENCE : CCPROF_HEAP_PATIENCE);

    if (hurries)
        atomic_store(&is_hurried, false);
    while (!ccprof_lock_wait(&seats->gate, SEATS_LOOK))
        if (seats_give_up(hurries, until))
            return false;
    for (uint32_t i = 0; i < CCPROF_HEAP_SEATS; i++)
        while (!ccprof_spin_wait(&seats->seat[i].busy, SEATS_LOOK)) {
            if (!seats_give_up(hurries, until))
                continue;
            atomic_store(&in_vain, ccprof_sys_clock(CLOCK_MONOTONIC) >= until);
            while (i-- > 0)
                ccprof_spin_release(&seats->seat[i].busy);
            ccprof_lock_release(&seats->gate);
            return false;
        }
    atomic_store(&in_vain, false);
    atomic_store(&is_stuck, false);
    atomic_store(&is_forking, !hurries);
    return true;
}

void ccprof_heap_seats_hurry(void)
{
    atomic_store(&is_hurried, true);
}

void ccprof_heap_seats_give_back_all(struct ccprof_heap_seats *seats)
{
    atomic_store(&is_forking, false);
    for (uint32_t i = 0; i < CCPROF_HEAP_SEATS; i++)
        ccprof_spin_release(&seats->seat[i].busy);
    ccprof_lock_release(&seats->gate);
}

void ccprof_heap_seats_drop(struct ccprof_heap_seats *seats)
{
    ccprof_heap_seats_give_back_all(seats);
    atomic_store(&in_vain, false);
    atomic_store(&is_stuck, false);
}

uint32_t ccprof_heap_seats_count(void)
{
    uint32_t count = atomic_load(&threads);
    return count < CCPROF_HEAP_SEATS ? count : CCPROF_HEAP_SEATS;
}
