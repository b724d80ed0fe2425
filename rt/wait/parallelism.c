/* SPDX-License-Identifier: MIT */
/* Counts the threads that run, for samples. Called by the signal handler.

   The number is not always known, so that it has bounds. A thread runs if it is in no
   wait, but these threads may or may not run: those in a call of a library that waits
   where nothing sees it, such as OpenMP's; those that have just begun a call that reads
   or writes, which may copy data; and those that got no sample for long, although they
   are in no wait. A thread that runs gets a sample each period. */

#include "rt/wait/wait-inside.h"

/* A call that reads or writes waits if it takes longer than this (nanoseconds). */
#define PARALLELISM_COPY 1000000u

/* A thread of OpenMP's library that got no sample for RECENT periods may wait, and one
   that got none for LONG periods waits: it would have run even if many were ready. */
#define PARALLELISM_RECENT 2
#define PARALLELISM_LONG   20

/* Greatest number that is recorded exactly. Greater ones are recorded with so many bits,
   or there would be too many different stacks. */
#define PARALLELISM_EXACT 16
#define PARALLELISM_BITS  4

#define PARALLELISM_MOST 0xffff

struct parallelism {
    uint32_t least, most;
};

static void parallelism_add(struct parallelism *sum, const struct wait_thread *thread,
                            uint64_t now, uint64_t period)
{
    const enum ccprof_wait_reason reason = thread->open.reason;
    const bool waits =
        atomic_load_explicit(&thread->current, memory_order_relaxed) != NULL;
    const uint64_t sampled = atomic_load_explicit(&thread->sampled, memory_order_relaxed);
    const uint64_t since = sampled > thread->begun ? sampled : thread->begun;
    const uint64_t idle = now > since ? now - since : 0;

    if (waits ? wait_is_around_others(reason) : thread->is_of_pool) {
        sum->least += idle <= PARALLELISM_RECENT * period;
        sum->most += idle <= PARALLELISM_LONG * period;
    } else if (!waits || reason == CCPROF_WAIT_SPIN) {
        sum->least += idle <= PARALLELISM_LONG * period;
        sum->most++;
    } else if (reason >= CCPROF_WAIT_RECEIVE && reason <= CCPROF_WAIT_SYNC) {
        sum->most += now < thread->open.start + PARALLELISM_COPY;
    }
}

/* Returns NUMBER, rounded down or, if UP, up to PARALLELISM_BITS bits. */
static uint64_t parallelism_round(uint32_t number, bool up)
{
    uint32_t step = 1;

    while (number / step >= 1u << PARALLELISM_BITS)
        step *= 2;
    if (number <= PARALLELISM_EXACT)
        return number;
    if (up)
        number += step - 1;
    number = number / step * step;
    return number < PARALLELISM_MOST ? number : PARALLELISM_MOST;
}

void ccprof_wait_put_parallelism(struct ccprof_stack *stack, uint32_t rate)
{
    struct wait_memory *memory = wait_memory;
    struct wait_thread *own = wait_mine;
    const uint64_t now = ccprof_sys_clock(CLOCK_MONOTONIC);
    const uint64_t period = 1000000000u / (rate ? rate : 1);
    const uint32_t used = atomic_load_explicit(&memory->used, memory_order_relaxed);
    struct parallelism sum = {1, 1};

    if (own)
        atomic_store_explicit(&own->sampled, now, memory_order_relaxed);
    for (uint32_t i = 0; i < used; i++)
        if (&memory->thread[i] != own &&
            atomic_load_explicit(&memory->tid[i], memory_order_relaxed) != 0)
            parallelism_add(&sum, &memory->thread[i], now, period);
    ccprof_assert(stack->depth < CCPROF_STACK_DEPTH);
    stack->address[stack->depth++] = CCPROF_TAGS_PARALLELISM |
                                     parallelism_round(sum.least, false) << 16 |
                                     parallelism_round(sum.most, true);
}
