/* SPDX-License-Identifier: MIT */
/* Gives each thread that counts a block a seat: room for its walk, and for the changes
   that it keeps to itself.  Without a seat nobody changes anything, so that who holds all
   seats finds the heap at rest.  Only heap.c uses this.  */

#ifndef CCPROF_HEAP_SEATS_H
#define CCPROF_HEAP_SEATS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap-changes.h"
#include "rt/heap/heap-walk.h"
#include "rt/os/lock.h"
#include "rt/os/spin.h"

/* Threads that can count at the same time.  */
#define CCPROF_HEAP_SEATS 64

struct ccprof_heap_seat {
    ccprof_spin busy;
    struct ccprof_heap_changes changes;
    struct ccprof_heap_walk walk;
} __attribute__((aligned(64)));

/* All zeros is a set of free ones.  */
struct ccprof_heap_seats {
    ccprof_lock gate; /* who takes all seats has this, and others wait for it */
    struct ccprof_heap_seat seat[CCPROF_HEAP_SEATS];
};

/* Takes a free seat, if there is one the one that the calling thread had last; waits
   for others.  Returns null if none became free within seconds.  The only thread takes no
   flag; nobody may interrupt it to take a seat, and no other thread begins before it has
   given the seat back.  */
struct ccprof_heap_seat *ccprof_heap_seats_take(struct ccprof_heap_seats *seats);
void ccprof_heap_seats_give_back(struct ccprof_heap_seat *seat);

/* Takes all seats, which may be those of other threads, and gives them back.  Returns
   false if one cannot be had within seconds, or if HURRIES and hurry was called
   meanwhile; then none is taken.  */
bool ccprof_heap_seats_take_all(struct ccprof_heap_seats *seats, bool hurries);
void ccprof_heap_seats_give_back_all(struct ccprof_heap_seats *seats);

/* Tells that the calling thread has a seat, and waits for a thread that may be waiting
   for all seats.  To be called again and again.  Async-signal-safe.  */
void ccprof_heap_seats_hurry(void);

/* In the child of a fork: frees all seats, which threads may have had that are not there
   any more.  */
void ccprof_heap_seats_drop(struct ccprof_heap_seats *seats);

/* Returns how many seats some thread has had.  */
uint32_t ccprof_heap_seats_count(void);

#endif
