/* SPDX-License-Identifier: MIT */
/* Counts blocks.  Owns all that is known of the heap, its lock, and whether a thread is
   inside.  The constructor calls start; the program's threads call the functions for
   heap-calls.c wherever they allocate or free; heap-fork.c and the end of the run call
   the others.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/single_threaded.h>
#include <time.h>

#include "rt/heap/heap.h"
#include "rt/heap/heap-changes.h"
#include "rt/heap/heap-inside.h"
#include "rt/heap/heap-lock.h"
#include "rt/heap/heap-maps.h"
#include "rt/heap/heap-roots.h"
#include "rt/heap/heap-seats.h"
#include "rt/heap/heap-sizes.h"
#include "rt/heap/heap-table.h"
#include "rt/os/memory.h"

/* What all threads read in each call comes first, and shares no cache line with what they
   write.  */
struct heap {
    struct ccprof_heap_table table;
    _Alignas(64) ccprof_lock lock; /* of all that is not in a seat or in TABLE's blocks */
    struct ccprof_heap_state state;
    struct ccprof_heap_seats seats;
};

static struct heap *heap;

_Atomic bool ccprof_heap_on;
__thread bool ccprof_heap_inside, ccprof_heap_loads;
__thread void (*ccprof_heap_later)(void);

/* What to call where a thread has loaded modules, and how much the allocator has in use.
 */
static bool (*heap_loaded)(void);
static uint64_t (*heap_in_use)(void);

/* Whether the program ends by exit, and which blocks can be reached is asked.  */
static bool exits, asks_reach;

/* The complement of the address of the block that the thread has made last (nothing here
   refers to a block: heap-reach.h), how far it was to the next sample then, and how many
   blocks it had freed: as long as these are so it has allocated nothing since, and freed
   nothing.  */
static __thread uintptr_t newest;
static __thread uint64_t newest_left, newest_frees;

/* The thread's number, 0 at first, and how many have one.  */
static __thread uint32_t thread_number;
static _Atomic uint32_t thread_numbers;

/* Calls that were not kept, blocks that were freed and that nobody has seen allocated,
   and blocks that nobody has seen freed, counted outside of the lock.  */
static _Atomic uint64_t unkept, unknown, unseen;

/* All seats together keep less to themselves than one such part of the most that was
   alive.  */
#define HEAP_SHARES 128

/* Reads the clock without a system call, a few milliseconds behind.  */
static uint64_t heap_clock(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The time in milliseconds, of which blocks keep the lower bits.  */
static uint32_t heap_milliseconds(uint64_t time)
{
    return (uint32_t)(time / 1000000);
}

bool ccprof_heap_start(bool (*loaded)(void), uint64_t size, uint64_t (*in_use)(void))
{
    struct heap *made = ccprof_pages_map(sizeof *made);

    if (!made || !ccprof_heap_stacks_start(&made->state.stacks))
        return false;
    if (size != 0 && !ccprof_heap_table_filter(&made->table))
        return false;
    ccprof_heap_samples_start(size);
    made->state.size = size;
    made->state.start = heap_clock();
    ccprof_heap_times_start(&made->state.times, &made->state.stacks,
                            heap_milliseconds(made->state.start));
    heap = made;
    heap_loaded = loaded;
    heap_in_use = in_use;
    atomic_store(&ccprof_heap_on, true);
    return true;
}

bool ccprof_heap_is_on(void)
{
    return atomic_load_explicit(&ccprof_heap_on, memory_order_acquire);
}

void ccprof_heap_exit(const uint64_t *registers, bool reachable)
{
    exits = true;
    asks_reach = reachable;
    if (reachable)
        ccprof_heap_roots_exit(registers);
}

void ccprof_heap_end(void)
{
    atomic_store(&ccprof_heap_on, false);
}

/* The thread stays inside for good: what it allocates and frees is unkept.  */
void ccprof_heap_leave_out(void)
{
    ccprof_heap_inside = true;
    ccprof_heap_samples_stop();
}

static void heap_unkept(void)
{
    atomic_fetch_add_explicit(&unkept, 1, memory_order_relaxed);
}

bool ccprof_heap_hits(uint64_t size)
{
    if (!ccprof_heap_is_on())
        return false;
    if (__builtin_expect(ccprof_heap_loads, false) && !ccprof_heap_inside &&
        ccprof_heap_enter())
        ccprof_heap_leave();
    return ccprof_heap_samples_hit(size, ccprof_heap_loads);
}

/* Looks for the modules that the thread has loaded, which is inside.  */
static void heap_look(void)
{
    if (!heap_loaded())
        return;
    ccprof_heap_samples_look_no_more();
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
    ccprof_heap_samples_look();
    ccprof_heap_loads = true;
}

/* Takes the lock for a call that is to be counted, which is unkept if that fails.  */
static bool heap_lock_to_count(void)
{
    bool locked = ccprof_heap_lock_take(&heap->lock);

    if (!locked)
        heap_unkept();
    return locked;
}

static uint32_t heap_thread(void)
{
    if (thread_number == 0)
        thread_number = atomic_fetch_add(&thread_numbers, 1) + 1;
    return thread_number;
}

/* Put the block into the table, and take it out.  */
static bool heap_table_put(const struct ccprof_heap_block *block,
                           struct ccprof_heap_block *before)
{
    if (!heap->table.filter)
        return ccprof_heap_table_put(&heap->table, block, before);
    if (!ccprof_heap_lock_take(&heap->lock))
        return false;
    bool put = ccprof_heap_table_put(&heap->table, block, before);
    ccprof_heap_lock_give_back(&heap->lock);
    return put;
}

/* Where blocks are sampled, one that is not there was not sampled.  */
static bool heap_table_take(const void *at, struct ccprof_heap_block *block)
{
    if (!heap->table.filter) {
        if (ccprof_heap_table_take(&heap->table, at, block))
            return true;
        atomic_fetch_add_explicit(&unknown, 1, memory_order_relaxed);
        return false;
    }
    if (!heap_lock_to_count())
        return false;
    bool known = ccprof_heap_table_take(&heap->table, at, block);
    ccprof_heap_lock_give_back(&heap->lock);
    return known;
}

/* Counts what the thread has kept to itself.  The lock is held.  */
static void heap_settle(struct ccprof_heap_seat *seat, uint64_t time)
{
    const struct ccprof_heap_stacks *stacks = &heap->state.stacks;

    ccprof_heap_changes_count(&heap->state, &seat->changes, time);
    seat->changes.limit =
        stacks->most_weight / HEAP_SHARES / ccprof_heap_seats_count(&heap->seats);
}

/* Counts the change at once.  A sampled block counts with its point's size.  The lock is
   held.  */
static void heap_count(const struct ccprof_heap_change *change, uint64_t time)
{
    struct ccprof_heap_change sampled;

    if (heap->table.filter) {
        sampled = *change;
        sampled.size = ccprof_heap_sizes_of(&heap->state.stacks, change->stack);
        change = &sampled;
    }
    ccprof_heap_change_count(&heap->state, change, time);
}

/* Tells the change: it is counted at once, or kept.  */
static void heap_tell(struct ccprof_heap_seat *seat,
                      const struct ccprof_heap_change *change, uint64_t time)
{
    if (__libc_single_threaded || heap->table.filter) {
        if (!heap_lock_to_count())
            return;
        heap_count(change, time);
        ccprof_heap_lock_give_back(&heap->lock);
        return;
    }
    if (!ccprof_heap_changes_keep(&seat->changes, change))
        return;
    if (ccprof_heap_lock_take(&heap->lock)) {
        heap_settle(seat, time);
        ccprof_heap_lock_give_back(&heap->lock);
    } else {
        atomic_fetch_add(&unkept, seat->changes.count - seat->changes.counted);
        seat->changes.counted = 0;
        seat->changes.count = 0;
    }
}

static void heap_tell_freed(struct ccprof_heap_seat *seat,
                            const struct ccprof_heap_block *block, uint64_t time,
                            bool temporary)
{
    const struct ccprof_heap_change change = {
        .size = ccprof_heap_block_size(block),
        .stack = block->stack,
        .lived = heap_milliseconds(time) - block->born,
        .time = heap_milliseconds(time),
        .what = temporary ? CCPROF_HEAP_FREED_AT_ONCE : CCPROF_HEAP_FREED,
        .foreign = ccprof_heap_block_thread(block) != (uint16_t)heap_thread()};

    heap_tell(seat, &change, time);
}

/* Returns the point that the block belongs to, 0 without room for it.  Where the lock has
   to be taken what the thread has kept to itself is counted, too.  */
static uint32_t heap_point(struct ccprof_heap_seat *seat, uint64_t size, uint64_t time)
{
    struct ccprof_heap_stacks *stacks = &heap->state.stacks;
    uint32_t point = ccprof_heap_walk_known(&seat->walk);

    if (point != 0 && !heap->table.filter)
        return point;
    if (!ccprof_heap_lock_take(&heap->lock))
        return 0;
    point = ccprof_heap_walk_number(&seat->walk, stacks);
    if (heap->table.filter)
        point = ccprof_heap_sizes_put(stacks, point, size);
    if (seat->changes.count != 0)
        heap_settle(seat, time);
    ccprof_heap_lock_give_back(&heap->lock);
    return point;
}

/* Puts the block into the table and tells that it was made.  If its address is known,
   nobody has seen that the block there was freed, which must have been so.  */
static void heap_put(struct ccprof_heap_seat *seat, const struct ccprof_heap_block *block,
                     uint64_t time, bool again)
{
    struct ccprof_heap_block before;
    struct ccprof_heap_change change = {.size = ccprof_heap_block_size(block),
                                        .stack = block->stack,
                                        .time = heap_milliseconds(time),
                                        .what = again ? CCPROF_HEAP_MADE_AGAIN
                                                      : CCPROF_HEAP_MADE};

    change.kept = heap_table_put(block, &before);
    if (before.address != 0) {
        atomic_fetch_add_explicit(&unseen, 1, memory_order_relaxed);
        heap_tell_freed(seat, &before, time, false);
    }
    if (!change.kept)
        heap_unkept();
    heap_tell(seat, &change, time);
}

static void heap_made(struct ccprof_heap_seat *seat, const void *at, uint64_t size,
                      const struct ccprof_heap_block *old, bool again)
{
    const uint64_t time = heap_clock();
    struct ccprof_heap_block block = {.address = (uintptr_t)at,
                                      .packed =
                                          ccprof_heap_block_pack(size, heap_thread()),
                                      .born = heap_milliseconds(time)};

    if (old)
        heap_tell_freed(seat, old, time, false);
    block.stack = heap_point(seat, ccprof_heap_block_size(&block), time);
    if (block.stack)
        heap_put(seat, &block, time, again);
    else
        heap_unkept();
    newest = ~(uintptr_t)at;
    newest_left = ccprof_heap_samples_left;
    newest_frees = ccprof_heap_samples_frees;
}

/* Takes a seat; without one the call is unkept.  */
static struct ccprof_heap_seat *heap_sit(void)
{
    struct ccprof_heap_seat *seat = ccprof_heap_seats_take(&heap->seats);

    if (!seat)
        heap_unkept();
    return seat;
}

void ccprof_heap_made(const void *at, uint64_t size, const struct ccprof_heap_block *old,
                      bool again, uint64_t pc, const uint64_t *registers)
{
    int saved = errno;
    struct ccprof_heap_seat *seat = heap_sit();

    if (seat) {
        ccprof_heap_walk_capture(&seat->walk, registers, pc);
        heap_made(seat, at, size, old, again);
        ccprof_heap_seats_give_back(seat);
    }
    errno = saved;
}

void ccprof_heap_freed(const void *at)
{
    struct ccprof_heap_block block;
    /* The free of this block is counted already.  */
    bool temporary = ~(uintptr_t)at == newest &&
                     newest_left == ccprof_heap_samples_left &&
                     newest_frees + 1 == ccprof_heap_samples_frees;
    struct ccprof_heap_seat *seat = heap_sit();

    if (!seat)
        return;
    if (heap_table_take(at, &block))
        heap_tell_freed(seat, &block, heap_clock(), temporary);
    ccprof_heap_seats_give_back(seat);
    if (~(uintptr_t)at == newest)
        newest = 0;
}

bool ccprof_heap_take(const void *at, struct ccprof_heap_block *block)
{
    struct ccprof_heap_seat *seat = heap_sit();

    if (!seat)
        return false;
    bool known = heap_table_take(at, block);
    ccprof_heap_seats_give_back(seat);
    return known;
}

void ccprof_heap_count_freed(const struct ccprof_heap_block *block)
{
    struct ccprof_heap_seat *seat = heap_sit();

    if (!seat)
        return;
    heap_tell_freed(seat, block, heap_clock(), false);
    ccprof_heap_seats_give_back(seat);
}

void ccprof_heap_put_back(const struct ccprof_heap_block *block)
{
    struct ccprof_heap_block before;
    struct ccprof_heap_seat *seat = heap_sit();

    if (!seat)
        return;
    if (!heap_table_put(block, &before)) {
        heap_unkept();
        heap_tell_freed(seat, block, heap_clock(), false);
    }
    ccprof_heap_seats_give_back(seat);
}

void ccprof_heap_made_part(const struct ccprof_heap_block *block, const void *at,
                           uint64_t size)
{
    const uint64_t time = heap_clock();
    struct ccprof_heap_stacks *stacks = &heap->state.stacks;
    struct ccprof_heap_block part = {
        .address = (uintptr_t)at,
        .packed = ccprof_heap_block_pack(size, ccprof_heap_block_thread(block)),
        .stack = heap->table.filter ? 0 : block->stack,
        .born = heap_milliseconds(time)};
    struct ccprof_heap_seat *seat = heap_sit();

    if (!seat)
        return;
    if (heap->table.filter && ccprof_heap_lock_take(&heap->lock)) {
        part.stack = ccprof_heap_sizes_put(
            stacks, ccprof_heap_stacks_point(stacks, block->stack)->caller, size);
        ccprof_heap_lock_give_back(&heap->lock);
    }
    if (part.stack)
        heap_put(seat, &part, time, true);
    else
        heap_unkept();
    ccprof_heap_seats_give_back(seat);
}

void ccprof_heap_unloaded(void)
{
    ccprof_heap_walk_forget();
}

/* Counts what threads have kept to themselves, who have given their seats back, or are
   interrupted in theirs.  */
static void heap_settle_all(void)
{
    for (uint32_t i = 0; i < ccprof_heap_seats_count(&heap->seats); i++) {
        struct ccprof_heap_seat *seat = &heap->seats.seat[i];
        if (seat == ccprof_heap_seats_own())
            ccprof_heap_changes_count_now(&heap->state, &seat->changes, heap_clock());
        else if (seat->changes.count != 0)
            heap_settle(seat, heap_clock());
    }
    ccprof_heap_times_advance(&heap->state.times, &heap->state.stacks,
                              heap_milliseconds(heap_clock()));
}

/* A handler may have interrupted its own thread inside.  Where that has the lock no other
   thread changes anything, and this one is in the middle of a change.  */
static bool heap_rest(enum ccprof_heap_seats_who who)
{
    if (ccprof_heap_lock_is_mine() || !ccprof_heap_seats_take_all(&heap->seats, who))
        return false;
    heap_settle_all();
    return true;
}

bool ccprof_heap_rest(bool inside)
{
    return heap_rest(inside ? CCPROF_HEAP_SEATS_LAST : CCPROF_HEAP_SEATS_FORK);
}

bool ccprof_heap_hold(bool ended)
{
    if (ccprof_heap_inside)
        return ended && heap_rest(CCPROF_HEAP_SEATS_LAST);
    return heap_rest(CCPROF_HEAP_SEATS_WRITE);
}

/* Who waits for a lock of the allocator need not hurry: nobody who writes waits for that.
 */
void ccprof_heap_hurry(void)
{
    if (ccprof_heap_inside && ccprof_heap_seats_own())
        ccprof_heap_seats_hurry();
}

void ccprof_heap_release(void)
{
    ccprof_heap_seats_give_back_all(&heap->seats);
}

bool ccprof_heap_postpone(void (*later)(void))
{
    if (!ccprof_heap_is_on() || !ccprof_heap_inside)
        return false;
    ccprof_heap_later = later;
    return true;
}

void ccprof_heap_leave_else(void)
{
    int saved = errno;
    void (*later)(void) = ccprof_heap_later;

    ccprof_heap_later = NULL;
    later();
    errno = saved;
}

void ccprof_heap_restart(void)
{
    heap->state.peak_time = heap_clock();
    ccprof_heap_stacks_restart(&heap->state.stacks);
    ccprof_heap_times_start(&heap->state.times, &heap->state.stacks,
                            heap_milliseconds(heap->state.peak_time));
}

void ccprof_heap_begin_anew(bool held)
{
    atomic_store(&unkept, 0);
    atomic_store(&unknown, 0);
    atomic_store(&unseen, 0);
    if (held) {
        ccprof_heap_restart();
        heap->state.start = heap->state.peak_time;
        return;
    }
    ccprof_heap_seats_drop(&heap->seats);
    if (!ccprof_heap_lock_is_mine())
        ccprof_lock_release(&heap->lock);
}

/* Returns how many changes threads have kept to themselves.  */
static uint64_t heap_kept(void)
{
    uint64_t kept = 0;

    for (uint32_t i = 0; i < ccprof_heap_seats_count(&heap->seats); i++) {
        const struct ccprof_heap_changes *changes = &heap->seats.seat[i].changes;
        if (changes->count > changes->counted)
            kept += changes->count - changes->counted;
    }
    return kept;
}

void ccprof_heap_get(struct ccprof_heap_state *state)
{
    *state = heap->state;
    state->memory = offsetof(struct heap, seats) +
                    ccprof_heap_seats_count(&heap->seats) * sizeof *heap->seats.seat +
                    ccprof_heap_table_memory(&heap->table) + ccprof_heap_maps_memory() +
                    heap->state.stacks.memory + heap->state.times.cells.memory;
    state->unkept = atomic_load(&unkept) + heap_kept();
    state->unknown = atomic_load(&unknown);
    state->unseen = atomic_load(&unseen);
}

uint64_t ccprof_heap_in_use(void)
{
    bool may = exits && __libc_single_threaded && !ccprof_heap_inside;

    return heap_in_use && may ? heap_in_use() : UINT64_MAX;
}

bool ccprof_heap_asks_reach(void)
{
    return asks_reach && !ccprof_heap_inside;
}

void ccprof_heap_each(void (*block)(void *of, uint64_t address,
                                    const struct ccprof_heap_record *record),
                      void *of)
{
    ccprof_heap_blocks_each(&heap->table.blocks, block, of);
}

struct ccprof_pages ccprof_heap_own(void)
{
    return (struct ccprof_pages){(uint8_t *)heap, sizeof *heap};
}

struct ccprof_heap_state *ccprof_heap_held(void)
{
    return &heap->state;
}

void ccprof_heap_count_else(uint64_t more_unkept, uint64_t more_unknown)
{
    atomic_fetch_add(&unkept, more_unkept);
    atomic_fetch_add(&unknown, more_unknown);
}
