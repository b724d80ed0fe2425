/* SPDX-License-Identifier: MIT */
/* Counts blocks.  Owns all that is known of the heap, its lock, whether a thread is
   inside, and how far it is to the thread's next sample.  The constructor calls start;
   the program's threads call the functions for heap-calls.c wherever they allocate or
   free; fork and the end of the run call the others.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/single_threaded.h>
#include <time.h>
#include <unistd.h>

#include "rt/heap/heap.h"
#include "rt/heap/heap-blocks.h"
#include "rt/heap/heap-draw.h"
#include "rt/heap/heap-filter.h"
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
    struct ccprof_heap_filter *filter; /* of BLOCKS; null: each block is counted */
    uint64_t filters;                  /* bytes that are mapped for it and those before */
    struct ccprof_heap_walks walks;
};

static struct heap *heap;
static ccprof_lock lock;

_Atomic bool ccprof_heap_on;
__thread bool ccprof_heap_inside, ccprof_heap_loads;

/* What to call where a thread has loaded modules.  */
static bool (*heap_loaded)(void);

/* Each thread's samples: the generator, 0 before the first draw; and what the thread has
   left while it must look at each block, to find those who have loaded modules.  */
__thread uint64_t ccprof_heap_left;
static __thread uint64_t random_state, left_aside;

/* The block that the thread has made last, and what was left then: as long as both are so
   it has allocated nothing since.  */
static __thread const void *newest;
static __thread uint64_t newest_left;

/* The thread's number, 0 at first, and how many have one.  */
static __thread uint32_t thread_number;
static _Atomic uint32_t thread_numbers;

/* Calls that were not kept, counted outside of the lock.  */
static _Atomic uint64_t unkept;

/* Reads the clock without a system call, a few milliseconds behind.  */
static uint64_t heap_clock(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

bool ccprof_heap_start(bool (*loaded)(void), uint64_t size)
{
    struct heap *made = ccprof_pages_map(sizeof *made);

    if (!made || !ccprof_heap_stacks_start(&made->state.stacks))
        return false;
    if (size != 0) {
        made->filter = ccprof_heap_filter_make(CCPROF_HEAP_FILTER_LEAST, &made->filters);
        if (!made->filter)
            return false;
        atomic_store(&ccprof_heap_filter, made->filter);
    }
    made->state.size = size;
    made->state.start = heap_clock();
    heap = made;
    heap_loaded = loaded;
    atomic_store(&ccprof_heap_on, true);
    return true;
}

bool ccprof_heap_is_on(void)
{
    return atomic_load_explicit(&ccprof_heap_on, memory_order_acquire);
}

void ccprof_heap_end(void)
{
    atomic_store(&ccprof_heap_on, false);
}

static void heap_unkept(void)
{
    atomic_fetch_add_explicit(&unkept, 1, memory_order_relaxed);
}

/* Draws where the thread's next sample is.  What two threads start from differs by where
   their memory and the clock are.  */
static uint64_t heap_draw(void)
{
    if (random_state == 0)
        random_state = (uintptr_t)&random_state ^ heap_clock() ^ (uint64_t)getpid() << 40;
    return ccprof_heap_draw(&random_state, heap->state.size);
}

/* Whether the block is hit; *LEFT is how many bytes are left before the next hit.  A
   thread's first draw comes with its first block, and another one for it, in the child of
   a fork, changes nothing: what is left has the distribution of the whole.  */
static bool heap_draws(uint64_t *left, uint64_t size)
{
    if (random_state == 0)
        *left = heap_draw();
    bool hit = size >= *left;
    *left = hit ? heap_draw() : *left - size - 1;
    return hit;
}

bool ccprof_heap_hits(uint64_t size)
{
    if (!ccprof_heap_is_on())
        return false;
    if (__builtin_expect(ccprof_heap_loads, false) && !ccprof_heap_inside &&
        ccprof_heap_enter())
        ccprof_heap_leave();
    return heap->state.size == 0 ||
           heap_draws(ccprof_heap_loads ? &left_aside : &ccprof_heap_left, size);
}

/* Looks for the modules that the thread has loaded, which is inside.  */
static void heap_look(void)
{
    if (!heap_loaded())
        return;
    ccprof_heap_left = left_aside;
    ccprof_heap_loads = false;
}

bool ccprof_heap_enter_else(void)
{
    if (ccprof_heap_inside) {
        heap_unkept();
        return false;
    }
    ccprof_heap_inside = true;
    atomic_signal_fence(memory_order_seq_cst);
    heap_look();
    return true;
}

void ccprof_heap_load(void)
{
    ccprof_heap_walk_forget();
    if (ccprof_heap_loads)
        return;
    left_aside = ccprof_heap_left;
    ccprof_heap_left = 0;
    ccprof_heap_loads = true;
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

/* What a block adds to the estimate of the bytes that are alive.  */
static uint64_t heap_weight(uint64_t size)
{
    return heap->state.size ? ccprof_heap_draw_weight(size, heap->state.size) : size;
}

static uint32_t heap_thread(void)
{
    if (thread_number == 0)
        thread_number = atomic_fetch_add(&thread_numbers, 1) + 1;
    return thread_number;
}

/* The time in milliseconds, of which blocks keep the lower bits.  */
static uint32_t heap_milliseconds(uint64_t time)
{
    return (uint32_t)(time / 1000000);
}

/* Returns the class of a lifetime in milliseconds.  */
static unsigned heap_lifetime(uint32_t milliseconds)
{
    unsigned class = 0;

    for (uint64_t end = CCPROF_LIVES_LEAST;
         class < CCPROF_LIVES - 1 && milliseconds >= end; end *= 10)
        class ++;
    return class;
}

/* Counts the block as one that its stack has freed at TIME; TEMPORARY tells that its
   thread has allocated nothing since.  The lock is held.  */
static void heap_count_freed(const struct ccprof_heap_block *block, uint64_t time,
                             bool temporary)
{
    struct ccprof_heap_stacks *stacks = &heap->state.stacks;
    struct ccprof_heap_life *life = ccprof_heap_stacks_life(stacks, block->stack);
    const uint64_t size = ccprof_heap_block_size(block);

    ccprof_heap_stacks_free(stacks, block->stack, size, heap_weight(size));
    if (!life)
        return;
    ccprof_heap_stacks_add(
        &life->lived[heap_lifetime(heap_milliseconds(time) - block->born)], size);
    if (temporary)
        ccprof_heap_stacks_add(&life->temporary, size);
    if (ccprof_heap_block_thread(block) != (uint16_t)heap_thread())
        ccprof_heap_stacks_add(&life->foreign, size);
}

/* Gives the filter four times its places if too many of them would be taken.  */
static void heap_widen_filter(void)
{
    const struct ccprof_heap_blocks *blocks = &heap->blocks;
    const uint64_t places = heap->filter->mask + 1;
    struct ccprof_heap_filter *wider;

    if (ccprof_heap_blocks_count(blocks) < places / 32 ||
        places >= CCPROF_HEAP_FILTER_MOST)
        return;
    wider = ccprof_heap_filter_make(4 * places, &heap->filters);
    if (!wider)
        return;
    for (uint32_t i = 0; i < CCPROF_HEAP_BLOCKS_SHARDS; i++)
        for (uint32_t at = 0; at < blocks->shard[i].places; at++)
            if (blocks->shard[i].block[at].address != 0)
                ccprof_heap_filter_add(wider, blocks->shard[i].block[at].address);
    heap->filter = wider;
    atomic_store_explicit(&ccprof_heap_filter, wider, memory_order_release);
}

/* Put the block into the table and the filter, and take it out of both.  The lock is
   held.  */
static bool heap_table_put(const struct ccprof_heap_block *block,
                           struct ccprof_heap_block *before)
{
    if (!ccprof_heap_blocks_put(&heap->blocks, block, CCPROF_HEAP_MEMORY, before))
        return false;
    if (heap->filter && before->address == 0) {
        ccprof_heap_filter_add(heap->filter, block->address);
        heap_widen_filter();
    }
    return true;
}

static bool heap_table_take(uint64_t address, struct ccprof_heap_block *block)
{
    bool known = ccprof_heap_blocks_take(&heap->blocks, address, block);

    if (known && heap->filter)
        ccprof_heap_filter_remove(heap->filter, address);
    return known;
}

/* Takes out a block that the program frees.  Where blocks are sampled, one that is not
   there was not sampled.  The lock is held.  */
static bool heap_table_lose(uint64_t address, struct ccprof_heap_block *block)
{
    bool known = heap_table_take(address, block);

    heap->state.unknown += !known && heap->state.size == 0;
    return known;
}

/* Adds the block, made at TIME, and counts it.  If its address is known, nobody has seen
   that the block there was freed, which must have been so.  The lock is held.  */
static void heap_count_made(const struct ccprof_heap_block *block, uint64_t time)
{
    struct ccprof_heap_state *state = &heap->state;
    const uint64_t size = ccprof_heap_block_size(block);
    struct ccprof_heap_block before;
    bool kept = heap_table_put(block, &before);

    if (before.address != 0)
        heap_count_freed(&before, time, false);
    if (!kept)
        heap_unkept();
    if (ccprof_heap_stacks_allocate(&state->stacks, block->stack, size, heap_weight(size),
                                    kept))
        state->peak_time = time;
}

/* Returns the point that the block belongs to, 0 without room for it.  The lock is
   held.  */
static uint32_t heap_point(struct ccprof_heap_walk *walk, uint64_t size)
{
    struct ccprof_heap_stacks *stacks = &heap->state.stacks;
    uint32_t stack =
        walk ? ccprof_heap_walk_number(walk, stacks) : CCPROF_HEAP_STACKS_CUT;

    return heap->state.size
               ? ccprof_heap_stacks_put(stacks, stack, CCPROF_HEAP_STACKS_SIZE | size)
               : stack;
}

/* Counts a block that realloc has made of another one.  The lock is held.  */
static void heap_count_again(const struct ccprof_heap_block *block)
{
    struct ccprof_heap_life *life =
        ccprof_heap_stacks_life(&heap->state.stacks, block->stack);

    if (life)
        ccprof_heap_stacks_add(&life->again, ccprof_heap_block_size(block));
}

static void heap_made(struct ccprof_heap_walk *walk, const void *at, uint64_t size,
                      const struct ccprof_heap_block *old, bool again)
{
    const uint64_t time = heap_clock();
    struct ccprof_heap_block block = {.address = (uintptr_t)at,
                                      .packed =
                                          ccprof_heap_block_pack(size, heap_thread()),
                                      .born = heap_milliseconds(time)};

    if (!heap_lock_to_count())
        return;
    if (old)
        heap_count_freed(old, time, false);
    block.stack = heap_point(walk, size);
    if (block.stack)
        heap_count_made(&block, time);
    else
        heap_unkept();
    if (block.stack && again)
        heap_count_again(&block);
    heap_unlock();
    newest = at;
    newest_left = ccprof_heap_left;
}

void ccprof_heap_made(const void *at, uint64_t size, const struct ccprof_heap_block *old,
                      bool again, uint64_t pc, const uint64_t *registers)
{
    int saved = errno;
    struct ccprof_heap_walk *walk = ccprof_heap_walk_take(&heap->walks);

    if (walk)
        ccprof_heap_walk_capture(walk, registers, pc);
    heap_made(walk, at, size, old, again);
    if (walk)
        ccprof_heap_walk_give_back(walk);
    errno = saved;
}

void ccprof_heap_freed(const void *at)
{
    struct ccprof_heap_block block;
    bool temporary = at == newest && newest_left == ccprof_heap_left;
    const uint64_t time = heap_clock();

    if (!heap_lock_to_count())
        return;
    if (heap_table_lose((uintptr_t)at, &block))
        heap_count_freed(&block, time, temporary);
    heap_unlock();
    if (at == newest)
        newest = NULL;
}

bool ccprof_heap_take(const void *at, struct ccprof_heap_block *block)
{
    if (!heap_lock_to_count())
        return false;
    bool known = heap_table_lose((uintptr_t)at, block);
    heap_unlock();
    return known;
}

void ccprof_heap_count_freed(const struct ccprof_heap_block *block)
{
    if (!heap_lock_to_count())
        return;
    heap_count_freed(block, heap_clock(), false);
    heap_unlock();
}

void ccprof_heap_put_back(const struct ccprof_heap_block *block)
{
    struct ccprof_heap_block before;

    if (!heap_lock_to_count())
        return;
    if (!heap_table_put(block, &before)) {
        heap_unkept();
        heap_count_freed(block, heap_clock(), false);
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
    if (ccprof_heap_is_on() && !ccprof_heap_inside && heap_take())
        fork_holds = ccprof_heap_inside = true;
}

static void heap_fork_end(void)
{
    if (!fork_holds)
        return;
    fork_holds = ccprof_heap_inside = false;
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
    random_state = 0;
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
    return !ccprof_heap_inside && heap_lock();
}

void ccprof_heap_release(void)
{
    heap_unlock();
}

void ccprof_heap_get(struct ccprof_heap_state *state)
{
    *state = heap->state;
    state->memory = offsetof(struct heap, walks) + ccprof_heap_walk_memory() +
                    heap->filters + heap->blocks.memory + heap->state.stacks.memory;
    state->unkept = atomic_load(&unkept);
}
