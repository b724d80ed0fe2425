/* SPDX-License-Identifier: MIT */
/* Gives each thread that counts a block a seat: room for its walk, and for the changes
   that it keeps to itself.  Without a seat nobody changes anything, so that who has all
   seats finds the heap at rest.

   Who wants all seats closes a gate: nobody takes a seat before it opens again, and those
   who have one give it back within microseconds, or as soon as they get a processor.  A
   thread takes its seat between two calls of the allocator, so that who waits at the gate
   has none of the allocator's locks.  Only heap.c uses this.  */

#ifndef CCPROF_HEAP_SEATS_H
#define CCPROF_HEAP_SEATS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap-changes.h"
#include "rt/heap/heap-walk.h"
#include "rt/os/lock.h"

/* Threads that can count at the same time.  */
#define CCPROF_HEAP_SEATS 64

struct ccprof_heap_seat {
    _Atomic uint32_t busy;
    struct ccprof_heap_changes changes;
    struct ccprof_heap_walk walk;
} __attribute__((aligned(64)));

/* All zeros is a set of free ones.  What all threads read comes first, and seldom
   changes.  */
struct ccprof_heap_seats {
    _Atomic uint32_t gate;   /* how often it was closed and opened: odd while closed */
    _Atomic uint32_t closer; /* the process that has closed it last */
    _Atomic uint32_t used;   /* this seat and those behind it nobody has ever had */
    ccprof_lock all;         /* who closes the gate has this */
    struct ccprof_heap_seat seat[CCPROF_HEAP_SEATS];
};

/* Takes a free seat, if there is one the one that the calling thread had last; waits
   where the gate is closed, and for others.  Returns null if that takes too long.  The
   only thread takes no flag; nobody may interrupt it to take a seat, and no other thread
   begins before it has given the seat back.  */
struct ccprof_heap_seat *ccprof_heap_seats_take(struct ccprof_heap_seats *seats);
void ccprof_heap_seats_give_back(struct ccprof_heap_seat *seat);

/* Returns the seat of the calling thread, which a handler has interrupted while it has
   that or tries to take it, or null; it is null in the only thread.  Async-signal-safe.
 */
const struct ccprof_heap_seat *ccprof_heap_seats_own(void);

enum ccprof_heap_seats_who {
    CCPROF_HEAP_SEATS_FORK,  /* nobody waits for another thread's fork but briefly */
    CCPROF_HEAP_SEATS_WRITE, /* gives up when hurry is called */
    CCPROF_HEAP_SEATS_LAST,  /* in a handler that has interrupted its thread: gives up
                                soon, since others may wait for what that thread has */
};

/* Closes the gate and waits until nobody has a seat but the calling thread itself.
   Returns false if one of the others does not give its seat back, which signals may have
   stopped for good; then the gate is open.  */
bool ccprof_heap_seats_take_all(struct ccprof_heap_seats *seats,
                                enum ccprof_heap_seats_who who);
void ccprof_heap_seats_give_back_all(struct ccprof_heap_seats *seats);

/* Tells that the calling thread waits for a thread that may be waiting for all seats.  To
   be called again and again.  Async-signal-safe.  */
void ccprof_heap_seats_hurry(void);

/* In the child of a fork: opens the gate and frees all seats but the calling thread's,
   which threads may have had that are not there any more.  */
void ccprof_heap_seats_drop(struct ccprof_heap_seats *seats);

/* Returns how many seats some thread has had, which are the first ones.  */
static inline uint32_t ccprof_heap_seats_count(const struct ccprof_heap_seats *seats)
{
    return atomic_load_explicit(&seats->used, memory_order_relaxed);
}

#endif
