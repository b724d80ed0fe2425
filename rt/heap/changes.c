/* SPDX-License-Identifier: MIT */
/* Adds changes to the counts. Owns no data. Called by heap.c in any thread that
   allocates or frees, with the lock of the heap held, and by held.c while the heap is
   held. */

#include <stddef.h>

#include "rt/heap/changes.h"
#include "rt/heap/sampling.h"

/* Returns the number of bytes that a block adds to the estimate of the bytes in use. */
static uint64_t changes_weight(const struct ccprof_heap_state *state, uint64_t size)
{
    return state->size ? ccprof_heap_sampling_weight(size, state->size) : size;
}

/* Returns the class of a lifetime given in milliseconds. */
static unsigned changes_lifetime(uint32_t milliseconds)
{
    unsigned class = 0;

    for (uint64_t end = CCPROF_LIVES_LEAST;
         class < CCPROF_LIVES - 1 && milliseconds >= end; end *= 10)
        class ++;
    return class;
}

static void changes_made(struct ccprof_heap_state *state,
                         const struct ccprof_heap_change *change, uint64_t time,
                         uint32_t bucket)
{
    if (ccprof_heap_stacks_allocate(&state->stacks, change->stack, change->size,
                                    changes_weight(state, change->size),
                                    change->in_table))
        state->peak_time = time;
    if (change->in_table)
        ccprof_heap_times_made(&state->times, &state->stacks, change->stack, change->size,
                               bucket);
}

static void changes_freed(struct ccprof_heap_state *state,
                          const struct ccprof_heap_change *change, uint32_t bucket)
{
    const uint32_t born =
        ccprof_heap_times_bucket(&state->times, change->time - change->lived);
    struct ccprof_heap_life *life =
        ccprof_heap_stacks_life(&state->stacks, change->stack);

    ccprof_heap_stacks_free(&state->stacks, change->stack, change->size,
                            changes_weight(state, change->size));
    ccprof_heap_times_freed(&state->times, &state->stacks, change->stack, change->size,
                            born, bucket);
    if (!life)
        return;
    ccprof_heap_stacks_add(&life->lived[changes_lifetime(change->lived)], change->size);
    if (change->kind == CCPROF_HEAP_FREED_AT_ONCE)
        ccprof_heap_stacks_add(&life->temporary, change->size);
}

void ccprof_heap_change_count(struct ccprof_heap_state *state,
                              const struct ccprof_heap_change *change, uint64_t time)
{
    const uint32_t bucket =
        ccprof_heap_times_now(&state->times, &state->stacks, change->time);

    if (change->kind == CCPROF_HEAP_MADE)
        changes_made(state, change, time, bucket);
    else
        changes_freed(state, change, bucket);
}

void ccprof_heap_changes_count_now(struct ccprof_heap_state *state,
                                   struct ccprof_heap_changes *changes, uint64_t time)
{
    for (uint32_t i = changes->counted; i < changes->count; i++)
        ccprof_heap_change_count(state, &changes->change[i], time);
    changes->counted = changes->count;
}

void ccprof_heap_changes_count(struct ccprof_heap_state *state,
                               struct ccprof_heap_changes *changes, uint64_t time)
{
    ccprof_heap_changes_count_now(state, changes, time);
    changes->counted = 0;
    changes->count = 0;
    changes->bytes = 0;
}
