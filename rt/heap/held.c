/* SPDX-License-Identifier: MIT */
/* Holds the heap, so that nothing changes, while it is copied for a file and while the
   program forks. Owns the state of a fork in the forking thread. Called by write.c
   and by pthread_atfork. A signal handler that ends the program, or that forks, may
   have interrupted its own thread inside. */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>

#include "rt/heap/heap.h"
#include "rt/heap/held.h"
#include "rt/os/text.h"

/* Counts the changes that all threads have collected. The threads have given their
   slots back, or are interrupted while they have a slot. */
static void heap_count_all_kept(void)
{
    for (uint32_t i = 0; i < ccprof_heap_slots_count(&ccprof_heap->slots); i++) {
        struct ccprof_heap_slot *slot = &ccprof_heap->slots.slot[i];
        if (slot == ccprof_heap_slots_own())
            ccprof_heap_changes_count_now(&ccprof_heap->state, &slot->changes,
                                          ccprof_heap_clock());
        else if (slot->changes.count != 0)
            ccprof_heap_count_kept(slot, ccprof_heap_clock());
    }
    /* Off, the times may just be started by a request. */
    if (ccprof_heap_is_on())
        ccprof_heap_times_advance(&ccprof_heap->state.times, &ccprof_heap->state.stacks,
                                  ccprof_heap_milliseconds(ccprof_heap_clock()));
}

/* Waits until no thread counts, and counts the changes that threads have collected.
   After that nothing changes before ccprof_heap_release. Returns false if a thread
   does not leave in time, or if a handler has interrupted its own thread while it held
   the lock, since a change is half done then. */
static bool heap_hold(enum ccprof_heap_slots_purpose purpose)
{
    if (ccprof_heap_lock_is_mine() ||
        !ccprof_heap_slots_take_all(&ccprof_heap->slots, purpose))
        return false;
    heap_count_all_kept();
    return true;
}

bool ccprof_heap_hold(bool ended)
{
    if (ccprof_heap_inside)
        return ended && heap_hold(CCPROF_HEAP_SLOTS_LAST);
    return heap_hold(CCPROF_HEAP_SLOTS_WRITE);
}

/* A thread without a slot waits for a lock of the allocator. No writer waits for such
   a thread, so it need not make other threads give up. */
void ccprof_heap_hurry(void)
{
    if (ccprof_heap_inside && ccprof_heap_slots_own())
        ccprof_heap_slots_hurry();
}

void ccprof_heap_release(void)
{
    ccprof_heap_slots_give_back_all(&ccprof_heap->slots);
}

void ccprof_heap_restart(void)
{
    ccprof_heap->state.peak_time = ccprof_heap_clock();
    ccprof_heap_stacks_restart(&ccprof_heap->state.stacks);
    ccprof_heap_times_start(&ccprof_heap->state.times, &ccprof_heap->state.stacks,
                            ccprof_heap_milliseconds(ccprof_heap->state.peak_time));
}

void ccprof_heap_copy_state(struct ccprof_heap_state *state)
{
    uint64_t kept = 0;

    for (uint32_t i = 0; i < ccprof_heap_slots_count(&ccprof_heap->slots); i++) {
        const struct ccprof_heap_changes *changes = &ccprof_heap->slots.slot[i].changes;
        if (changes->count > changes->counted)
            kept += changes->count - changes->counted;
    }
    *state = ccprof_heap->state;
    state->memory =
        offsetof(struct ccprof_heap, slots) +
        ccprof_heap_slots_count(&ccprof_heap->slots) * sizeof *ccprof_heap->slots.slot +
        ccprof_heap_blocks_memory(&ccprof_heap->blocks) + ccprof_heap_mappings_memory() +
        ccprof_heap->state.stacks.memory + ccprof_heap->state.times.cells.memory;
    state->unkept = atomic_load(&ccprof_heap_unkept) + kept;
    state->unknown = atomic_load(&ccprof_heap_unknown);
    state->unseen = atomic_load(&ccprof_heap_unseen);
}

void ccprof_heap_add_unkept(uint64_t more_unkept, uint64_t more_unknown)
{
    atomic_fetch_add(&ccprof_heap_unkept, more_unkept);
    atomic_fetch_add(&ccprof_heap_unknown, more_unknown);
}

/* Whether the forking thread holds the heap, whether it holds the list of mappings,
   and whether it is inside only because of the fork. While it is inside it counts
   nothing, even if other handlers of pthread_atfork allocate. */
static __thread bool fork_holds, fork_holds_maps, fork_enters;

/* How long a signal handler that forks waits for the list of mappings, in nanoseconds.
   The wait is short, since the handler's own interrupted thread may hold the list. */
#define FORK_INSIDE UINT64_C(20000000)

void ccprof_heap_fork_prepare(void)
{
    const bool inside = ccprof_heap_inside;

    if (!ccprof_heap_is_prepared())
        return;
    fork_holds_maps =
        ccprof_heap_mappings_hold(inside ? FORK_INSIDE : CCPROF_HEAP_PATIENCE);
    fork_enters = !inside;
    /* From here on signal handlers postpone their work until the thread leaves. */
    ccprof_heap_inside = true;
    atomic_signal_fence(memory_order_seq_cst);
    fork_holds = fork_holds_maps &&
                 heap_hold(inside ? CCPROF_HEAP_SLOTS_LAST : CCPROF_HEAP_SLOTS_FORK);
}

static void fork_release(void)
{
    if (fork_holds)
        ccprof_heap_release();
    if (fork_holds_maps)
        ccprof_heap_mappings_release();
    fork_holds = fork_holds_maps = false;
    if (fork_enters)
        ccprof_heap_leave();
    fork_enters = false;
}

void ccprof_heap_fork_parent(void)
{
    fork_release();
}

/* If the heap was not held, the child cannot measure it: a change may be half done,
   and the thread that would complete it exists only in the parent. */
void ccprof_heap_fork_child(void)
{
    if (!ccprof_heap_is_prepared())
        return;
    ccprof_heap_sampling_fork_child();
    ccprof_heap_later = NULL;
    if (ccprof_heap_is_on() && ccprof_heap_is_later())
        ccprof_say_keep("heap=later, switched on in a parent: " CCPROF_HEAP_EARLIER);
    atomic_store(&ccprof_heap_unkept, 0);
    atomic_store(&ccprof_heap_unknown, 0);
    atomic_store(&ccprof_heap_unseen, 0);
    ccprof_heap_slots_drop(&ccprof_heap->slots);
    if (fork_holds && ccprof_heap_is_on()) {
        ccprof_heap_restart();
        ccprof_heap->state.start = ccprof_heap->state.peak_time;
    } else if (fork_holds) {
        ccprof_heap->state.start = ccprof_heap_clock();
    } else {
        ccprof_heap_release();
        if (!ccprof_heap_lock_is_mine())
            ccprof_lock_release(&ccprof_heap->lock);
        ccprof_heap_end();
        ccprof_say(
            "a thread that counts a block has stopped: the heap of a child of fork "
            "is not measured",
            NULL);
    }
    fork_release();
}
