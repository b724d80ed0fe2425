/* SPDX-License-Identifier: MIT */
/* Counts blocks.  Owns all that is known of the heap, its lock, and whether a thread is
   inside.  The constructor calls start; the program's threads call the functions for
   heap-calls.c wherever they allocate or free; fork and the end of the run call the
   others.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/single_threaded.h>
#include <time.h>

#include "rt/heap/heap.h"
#include "rt/heap/heap-blocks.h"
#include "rt/heap/heap-inside.h"
#include "rt/heap/heap-walk.h"
#include "rt/os/lock.h"
#include "rt/os/pages.h"
#include "rt/os/sys.h"

/* Nanoseconds that a thread waits for the lock.  */
#define HEAP_PATIENCE 10000000000u

struct heap {
    struct ccprof_heap_state state;
    struct ccprof_heap_blocks blocks;
    struct ccprof_heap_walks walks;
};

static struct heap *heap;
static _Atomic bool is_on;
static ccprof_lock lock;
static __thread bool inside;

/* What to call where a thread has loaded modules; and whether it has.  */
static bool (*heap_loaded)(void);
static __thread bool loads;

/* Calls that were not kept, counted outside of the lock.  */
static _Atomic uint64_t unkept;

/* Reads the clock without a system call, a few milliseconds behind.  */
static uint64_t heap_clock(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

bool ccprof_heap_start(bool (*loaded)(void))
{
    struct heap *made = ccprof_pages_map(sizeof *made);

    if (!made || !ccprof_heap_stacks_start(&made->state.stacks))
        return false;
    made->state.start = heap_clock();
    heap = made;
    heap_loaded = loaded;
    atomic_store(&is_on, true);
    return true;
}

bool ccprof_heap_is_on(void)
{
    return atomic_load_explicit(&is_on, memory_order_acquire);
}

void ccprof_heap_end(void)
{
    atomic_store(&is_on, false);
}

static void heap_unkept(void)
{
    atomic_fetch_add_explicit(&unkept, 1, memory_order_relaxed);
}

bool ccprof_heap_enter(void)
{
    if (!ccprof_heap_is_on())
        return false;
    if (inside) {
        heap_unkept();
        return false;
    }
    inside = true;
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(loads, false))
        loads = !heap_loaded();
    return true;
}

void ccprof_heap_load(void)
{
    ccprof_heap_walk_forget();
    loads = true;
}

void ccprof_heap_leave(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    inside = false;
}

/* Takes the lock.  Nobody waits a second time for a thread that does not give it back. */
static bool heap_take(void)
{
    static _Atomic bool is_stuck;

    if (ccprof_lock_try(&lock))
        return true;
    if (atomic_load(&is_stuck))
        return false;
    if (ccprof_lock_wait(&lock, HEAP_PATIENCE))
        return true;
    atomic_store(&is_stuck, true);
    return false;
}

/* A process with one thread needs no lock, since a handler that interrupts the thread
   inside changes nothing; that cannot change while the thread is inside.  Libc knows by
   itself of all threads that may call its allocator.  */
static bool heap_lock(void)
{
    return __libc_single_threaded || heap_take();
}

/* Takes the lock for a call that is to be counted, which is unkept if that fails.  */
static bool heap_lock_to_count(void)
{
    bool locked = heap_lock();

    if (!locked)
        heap_unkept();
    return locked;
}

static void heap_unlock(void)
{
    if (!__libc_single_threaded)
        ccprof_lock_release(&lock);
}

/* Counts the block as one that its stack has freed.  The lock is held.  */
static void heap_count_freed(const struct ccprof_heap_block *block)
{
    ccprof_heap_stacks_free(&heap->state.stacks, block->stack, block->size);
}

/* Adds the block and counts it.  If its address is known, nobody has seen that the block
   there was freed, which must have been so.  The lock is held.  */
static void heap_count_made(const struct ccprof_heap_block *block)
{
    struct ccprof_heap_state *state = &heap->state;
    struct ccprof_heap_block before;

    if (ccprof_heap_blocks_take(&heap->blocks, block->address, &before))
        heap_count_freed(&before);
    bool kept = ccprof_heap_blocks_add(&heap->blocks, block, CCPROF_HEAP_MEMORY);
    if (!kept)
        heap_unkept();
    if (ccprof_heap_stacks_allocate(&state->stacks, block->stack, block->size, kept))
        state->peak_time = heap_clock();
}

static void heap_made(struct ccprof_heap_walk *walk, const void *at, uint64_t size,
                      const struct ccprof_heap_block *old)
{
    struct ccprof_heap_block block = {.address = (uintptr_t)at, .size = size};

    if (!heap_lock_to_count())
        return;
    if (old)
        heap_count_freed(old);
    block.stack = walk ? ccprof_heap_walk_number(walk, &heap->state.stacks)
                       : CCPROF_HEAP_STACKS_CUT;
    heap_count_made(&block);
    heap_unlock();
}

void ccprof_heap_made(const void *at, uint64_t size, const struct ccprof_heap_block *old,
                      uint64_t pc, const uint64_t *registers)
{
    int saved = errno;
    struct ccprof_heap_walk *walk = ccprof_heap_walk_take(&heap->walks);

    if (walk)
        ccprof_heap_walk_capture(walk, registers, pc);
    heap_made(walk, at, size, old);
    if (walk)
        ccprof_heap_walk_give_back(walk);
    errno = saved;
}

void ccprof_heap_freed(const void *at)
{
    struct ccprof_heap_block block;

    if (!heap_lock_to_count())
        return;
    if (ccprof_heap_blocks_take(&heap->blocks, (uintptr_t)at, &block))
        heap_count_freed(&block);
    else
        heap->state.unknown++;
    heap_unlock();
}

bool ccprof_heap_take(const void *at, struct ccprof_heap_block *block)
{
    if (!heap_lock_to_count())
        return false;
    bool known = ccprof_heap_blocks_take(&heap->blocks, (uintptr_t)at, block);
    heap->state.unknown += !known;
    ccprof_lock_release(&lock);
    return known;
}

void ccprof_heap_count_freed(const struct ccprof_heap_block *block)
{
    if (!heap_lock_to_count())
        return;
    heap_count_freed(block);
    heap_unlock();
}

void ccprof_heap_put_back(const struct ccprof_heap_block *block)
{
    if (!heap_lock_to_count())
        return;
    if (!ccprof_heap_blocks_add(&heap->blocks, block, CCPROF_HEAP_MEMORY)) {
        heap_unkept();
        heap_count_freed(block);
    }
    heap_unlock();
}

void ccprof_heap_unloaded(void)
{
    ccprof_heap_walk_forget();
}

/* Whether the thread that forks holds the lock, which it takes in any case: other
   handlers of pthread_atfork may begin threads.  It counts nothing then, since they may
   allocate, too.  */
static bool fork_holds;

void ccprof_heap_fork_prepare(void)
{
    if (ccprof_heap_is_on() && !inside && heap_take())
        fork_holds = inside = true;
}

static void heap_fork_end(void)
{
    if (!fork_holds)
        return;
    fork_holds = inside = false;
    ccprof_lock_release(&lock);
}

void ccprof_heap_fork_parent(void)
{
    heap_fork_end();
}

void ccprof_heap_fork_child(void)
{
    if (!ccprof_heap_is_on())
        return;
    atomic_store(&unkept, 0);
    heap->state.unknown = 0;
    heap->state.start = heap->state.peak_time = heap_clock();
    ccprof_heap_stacks_restart(&heap->state.stacks);
    ccprof_heap_walk_drop(&heap->walks);
    heap_fork_end();
}

/* A handler of a fatal signal may have interrupted its own thread inside; then nothing
   changes while the handler runs, but for what other threads do.  */
bool ccprof_heap_hold(void)
{
    return !inside && heap_lock();
}

void ccprof_heap_release(void)
{
    heap_unlock();
}

void ccprof_heap_get(struct ccprof_heap_state *state)
{
    *state = heap->state;
    state->memory = offsetof(struct heap, walks) + ccprof_heap_walk_memory() +
                    heap->blocks.memory + heap->state.stacks.memory;
    state->unkept = atomic_load(&unkept);
}
