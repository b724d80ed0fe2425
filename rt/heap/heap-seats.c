/* SPDX-License-Identifier: MIT */
/* Implements seats.  Owns which seat a thread had last.  Called wherever the program
   calls its allocator, in any thread, by fork and where files are written.  */

#define _GNU_SOURCE
#include <stddef.h>
#include <sys/single_threaded.h>

#include "rt/heap/heap-seats.h"
#include "rt/os/sys.h"

/* How often a thread looks for a free seat.  */
#define SEATS_TRIES 100000

/* The number of the seat that the thread had last, plus 1.  */
static __thread uint32_t last;
static _Atomic uint32_t threads;

struct ccprof_heap_seat *ccprof_heap_seats_take(struct ccprof_heap_seats *seats)
{
    const uint32_t number = last ? last - 1 : atomic_fetch_add(&threads, 1);

    if (last && __libc_single_threaded)
        return &seats->seat[number];
    for (unsigned i = 0; i < SEATS_TRIES; i++) {
        struct ccprof_heap_seat *seat = &seats->seat[(number + i) % CCPROF_HEAP_SEATS];
        if (ccprof_spin_try_once(&seat->busy)) {
            last = (uint32_t)(seat - seats->seat) + 1;
            return seat;
        }
        if (i >= CCPROF_HEAP_SEATS)
            ccprof_sys_yield();
    }
    return NULL;
}

void ccprof_heap_seats_give_back(struct ccprof_heap_seat *seat)
{
    ccprof_spin_release(&seat->busy);
}

static bool seats_wait(struct ccprof_heap_seat *seat)
{
    for (unsigned i = 0; i < SEATS_TRIES; i++) {
        if (ccprof_spin_try_once(&seat->busy))
            return true;
        ccprof_sys_yield();
    }
    return false;
}

bool ccprof_heap_seats_take_all(struct ccprof_heap_seats *seats)
{
    for (uint32_t i = 0; i < CCPROF_HEAP_SEATS; i++)
        if (!seats_wait(&seats->seat[i])) {
            while (i-- > 0)
                ccprof_spin_release(&seats->seat[i].busy);
            return false;
        }
    return true;
}

void ccprof_heap_seats_give_back_all(struct ccprof_heap_seats *seats)
{
    for (uint32_t i = 0; i < CCPROF_HEAP_SEATS; i++)
        ccprof_spin_release(&seats->seat[i].busy);
}

uint32_t ccprof_heap_seats_count(void)
{
    uint32_t count = atomic_load(&threads);
    return count < CCPROF_HEAP_SEATS ? count : CCPROF_HEAP_SEATS;
}
