/* SPDX-License-Identifier: MIT */
/* Counts blocks. Owns the counts, the tables and the lock of the heap, and each
   thread's state (inside or not). The constructor calls ccprof_heap_start, and the
   constructor or the handler of requests calls ccprof_heap_record. allocator.c
   calls ccprof_heap_add, ccprof_heap_remove and similar functions when the program
   allocates or frees. The code for the end of the run calls the others. Fork and the
   copy for a file are in held.c. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/single_threaded.h>
#include <time.h>

#include "rt/heap/blocks.h"
#include "rt/heap/changes.h"
#include "rt/heap/heap.h"
#include "rt/heap/held.h"
#include "rt/heap/reach.h"
#include "rt/heap/slots.h"
#include "rt/heap/stacks.h"
#include "rt/os/memory.h"
#include "rt/os/text.h"

/* Maximum number of bytes that the table of blocks maps. A block for which there is
   no room is unkept. */
#define HEAP_MEMORY (UINT64_C(4) << 30)

/* The changes collected in all slots together have fewer bytes than the peak divided
   by this number. */
#define HEAP_SHARES 128

struct ccprof_heap *ccprof_heap;

_Atomic bool ccprof_heap_on;
__thread bool ccprof_heap_inside;
__thread void (*ccprof_heap_later)(void);

/* Counting has started or can start. */
static _Atomic bool is_prepared;

/* Counting has started later than the program, so that blocks may be freed whose
   allocation was not seen. Set before ccprof_heap_on. */
static bool is_later;

/* The argument IN_USE of ccprof_heap_start. */
static uint64_t (*heap_in_use)(void);

/* PROGRAM_EXITS: the program ends by exit. FINDS_REACHABLE: the file must say which
   blocks are reachable. */
static bool program_exits, finds_reachable;

/* The block that the thread has allocated last, and the values of
   ccprof_heap_sampling_left and ccprof_heap_sampling_frees at that time. While these
   two are unchanged, the thread has not allocated or freed another block. The address
   is stored as its complement, so that the search for references to blocks (reach.h)
   does not find it. */
static __thread uintptr_t last_block;
static __thread uint64_t last_block_left, last_block_frees;

_Atomic uint64_t ccprof_heap_unkept, ccprof_heap_unknown, ccprof_heap_unseen;

uint64_t ccprof_heap_clock(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

bool ccprof_heap_start(uint64_t size, uint64_t (*in_use)(void))
{
    struct ccprof_heap *made = ccprof_pages_map(sizeof *made);

    if (!made || !ccprof_heap_stacks_start(&made->state.stacks))
        return false;
    if (size != 0 && !ccprof_heap_blocks_use_filter(&made->blocks))
        return false;
    ccprof_heap_sampling_start(size);
    made->state.size = size;
    made->state.start = ccprof_heap_clock();
    ccprof_heap = made;
    heap_in_use = in_use;
    atomic_store(&is_prepared, true);
    return true;
}

/* Keeps a message that says for how many nanoseconds the program had run when counting
   started. */
static void heap_keep_message(uint64_t passed)
{
    char line[160];
    struct ccprof_text text;

    ccprof_text_open(&text, line, sizeof line, NULL);
    ccprof_text_string(&text, "heap=later: the heap is recorded only since ");
    ccprof_text_decimal(&text, passed / 1000000000);
    ccprof_text_char(&text, '.');
    ccprof_text_decimal(&text, passed / 100000000 % 10);
    ccprof_text_string(&text, " s after the start; " CCPROF_HEAP_EARLIER);
    ccprof_text_end(&text);
    ccprof_say_keep(line);
}

/* At a fork, another thread of the parent may be in this function. The child then repeats
   the whole call, since ccprof_heap_on is set last. */
bool ccprof_heap_record(bool later)
{
    const uint64_t now = ccprof_heap_clock();

    if (!atomic_load(&is_prepared) || ccprof_heap_is_on())
        return ccprof_heap_is_on();
    if (later)
        heap_keep_message(now - ccprof_heap->state.start);
    is_later = later;
    ccprof_heap->state.start = now;
    ccprof_heap_times_start(&ccprof_heap->state.times, &ccprof_heap->state.stacks,
                            ccprof_heap_milliseconds(now));
    ccprof_heap_blocks_record(&ccprof_heap->blocks);
    atomic_store(&ccprof_heap_on, true);
    return true;
}

bool ccprof_heap_is_prepared(void)
{
    return atomic_load_explicit(&is_prepared, memory_order_acquire);
}

bool ccprof_heap_is_later(void)
{
    return is_later;
}

bool ccprof_heap_is_on(void)
{
    return atomic_load_explicit(&ccprof_heap_on, memory_order_acquire);
}

void ccprof_heap_exit(const uint64_t *registers, bool reachable)
{
    program_exits = true;
    finds_reachable = reachable;
    if (reachable)
        ccprof_heap_roots_exit(registers);
}

void ccprof_heap_end(void)
{
    atomic_store(&is_prepared, false);
    atomic_store(&ccprof_heap_on, false);
}

/* The thread stays inside until it ends, so that all its calls are unkept. */
void ccprof_heap_leave_out(void)
{
    ccprof_heap_inside = true;
    ccprof_heap_sampling_stop();
}

static void heap_count_unkept(void)
{
    atomic_fetch_add_explicit(&ccprof_heap_unkept, 1, memory_order_relaxed);
}

bool ccprof_heap_refuse(void)
{
    heap_count_unkept();
    return false;
}

/* Takes the lock. If this fails, counts the call as unkept. */
static bool heap_lock_to_count(void)
{
    bool locked = ccprof_heap_lock_take(&ccprof_heap->lock);

    if (!locked)
        heap_count_unkept();
    return locked;
}

/* Adds the block to the table. */
static bool heap_put_block(const struct ccprof_heap_block *block,
                           struct ccprof_heap_block *replaced)
{
    if (!ccprof_heap_samples_blocks())
        return ccprof_heap_blocks_put(&ccprof_heap->blocks, block, HEAP_MEMORY, replaced);
    if (!ccprof_heap_lock_take(&ccprof_heap->lock))
        return false;
    bool put = ccprof_heap_blocks_put(&ccprof_heap->blocks, block, HEAP_MEMORY, replaced);
    ccprof_heap_lock_give_back(&ccprof_heap->lock);
    return put;
}

/* Removes the block from the table and copies it to BLOCK. Returns false if it is
   missing. A missing block is normal if blocks are sampled (it was not sampled), or if
   counting started later (it may be older). */
static bool heap_take_block(const void *address, struct ccprof_heap_block *block)
{
    if (!ccprof_heap_samples_blocks()) {
        if (ccprof_heap_blocks_take(&ccprof_heap->blocks, (uintptr_t)address, block))
            return true;
        if (!is_later)
            atomic_fetch_add_explicit(&ccprof_heap_unknown, 1, memory_order_relaxed);
        return false;
    }
    if (!heap_lock_to_count())
        return false;
    bool known = ccprof_heap_blocks_take(&ccprof_heap->blocks, (uintptr_t)address, block);
    ccprof_heap_lock_give_back(&ccprof_heap->lock);
    return known;
}

void ccprof_heap_count_kept(struct ccprof_heap_slot *slot, uint64_t time)
{
    const struct ccprof_heap_stacks *stacks = &ccprof_heap->state.stacks;

    ccprof_heap_changes_count(&ccprof_heap->state, &slot->changes, time);
    slot->changes.limit =
        stacks->peak_weight / HEAP_SHARES / ccprof_heap_slots_count(&ccprof_heap->slots);
}

/* Counts the change at once, or adds it to the thread's collected changes. A sampled
   block is counted with the size of its point. */
static void heap_record(struct ccprof_heap_slot *slot,
                        const struct ccprof_heap_change *change, uint64_t time)
{
    if (__libc_single_threaded || ccprof_heap_samples_blocks()) {
        struct ccprof_heap_change sampled;
        if (!heap_lock_to_count())
            return;
        if (ccprof_heap_samples_blocks()) {
            sampled = *change;
            sampled.size =
                ccprof_heap_sizes_of(&ccprof_heap->state.stacks, change->stack);
            change = &sampled;
        }
        ccprof_heap_change_count(&ccprof_heap->state, change, time);
        ccprof_heap_lock_give_back(&ccprof_heap->lock);
        return;
    }
    if (!ccprof_heap_changes_keep(&slot->changes, change))
        return;
    if (ccprof_heap_lock_take(&ccprof_heap->lock)) {
        ccprof_heap_count_kept(slot, time);
        ccprof_heap_lock_give_back(&ccprof_heap->lock);
    } else {
        atomic_fetch_add(&ccprof_heap_unkept,
                         slot->changes.count - slot->changes.counted);
        slot->changes.counted = 0;
        slot->changes.count = 0;
    }
}

static void heap_record_freed(struct ccprof_heap_slot *slot,
                              const struct ccprof_heap_block *block, uint64_t time,
                              bool temporary)
{
    const struct ccprof_heap_change change = {
        .size = block->size,
        .stack = block->stack,
        .lived = ccprof_heap_milliseconds(time) - block->born,
        .time = ccprof_heap_milliseconds(time),
        .kind = temporary ? CCPROF_HEAP_FREED_AT_ONCE : CCPROF_HEAP_FREED};

    heap_record(slot, &change, time);
}

/* Returns the number of the point for a block of SIZE bytes, or 0 if there is no room.
   If this takes the lock, it also counts the thread's collected changes. */
static uint32_t heap_find_point(struct ccprof_heap_slot *slot, uint64_t size,
                                uint64_t time)
{
    struct ccprof_heap_stacks *stacks = &ccprof_heap->state.stacks;
    uint32_t point = ccprof_heap_walk_known(&slot->walk);

    if (point != 0 && !ccprof_heap_samples_blocks())
        return point;
    if (!ccprof_heap_lock_take(&ccprof_heap->lock))
        return 0;
    point = ccprof_heap_walk_number(&slot->walk, stacks);
    if (ccprof_heap_samples_blocks())
        point = ccprof_heap_sizes_put(stacks, point, size);
    if (slot->changes.count != 0)
        ccprof_heap_count_kept(slot, time);
    ccprof_heap_lock_give_back(&ccprof_heap->lock);
    return point;
}

/* Adds the block to the table and counts it as allocated. If the table already has a
   block at this address, that block must have been freed without the runtime's
   knowledge. */
static void heap_add_block(struct ccprof_heap_slot *slot,
                           const struct ccprof_heap_block *block, uint64_t time)
{
    struct ccprof_heap_block replaced;
    struct ccprof_heap_change change = {.size = block->size,
                                        .stack = block->stack,
                                        .time = ccprof_heap_milliseconds(time),
                                        .kind = CCPROF_HEAP_MADE};

    change.in_table = heap_put_block(block, &replaced);
    if (replaced.address != 0) {
        atomic_fetch_add_explicit(&ccprof_heap_unseen, 1, memory_order_relaxed);
        heap_record_freed(slot, &replaced, time, false);
    }
    if (!change.in_table)
        heap_count_unkept();
    heap_record(slot, &change, time);
}

static void heap_count_made(struct ccprof_heap_slot *slot, const void *address,
                            uint64_t size, const struct ccprof_heap_block *old)
{
    const uint64_t time = ccprof_heap_clock();
    struct ccprof_heap_block block = {.address = (uintptr_t)address,
                                      .size = size,
                                      .born = ccprof_heap_milliseconds(time)};

    if (old)
        heap_record_freed(slot, old, time, false);
    block.stack = heap_find_point(slot, size, time);
    if (block.stack)
        heap_add_block(slot, &block, time);
    else
        heap_count_unkept();
    last_block = ~(uintptr_t)address;
    last_block_left = ccprof_heap_sampling_left;
    last_block_frees = ccprof_heap_sampling_frees;
}

/* Takes a slot. If this fails, counts the call as unkept. */
static struct ccprof_heap_slot *heap_take_slot(void)
{
    struct ccprof_heap_slot *slot = ccprof_heap_slots_take(&ccprof_heap->slots);

    if (!slot)
        heap_count_unkept();
    return slot;
}

void ccprof_heap_add(const void *address, uint64_t size,
                     const struct ccprof_heap_block *old, uint64_t pc,
                     const uint64_t *registers)
{
    int saved = errno;
    struct ccprof_heap_slot *slot = heap_take_slot();

    if (slot) {
        ccprof_heap_walk_capture(&slot->walk, registers, pc);
        heap_count_made(slot, address, size, old);
        ccprof_heap_slots_give_back(slot);
    }
    errno = saved;
}

void ccprof_heap_remove(const void *address)
{
    struct ccprof_heap_block block;
    /* The caller has already counted this block in ccprof_heap_sampling_frees. */
    bool temporary = ~(uintptr_t)address == last_block &&
                     last_block_left == ccprof_heap_sampling_left &&
                     last_block_frees + 1 == ccprof_heap_sampling_frees;
    struct ccprof_heap_slot *slot = heap_take_slot();

    if (!slot)
        return;
    if (heap_take_block(address, &block))
        heap_record_freed(slot, &block, ccprof_heap_clock(), temporary);
    ccprof_heap_slots_give_back(slot);
    if (~(uintptr_t)address == last_block)
        last_block = 0;
}

bool ccprof_heap_take(const void *address, struct ccprof_heap_block *block)
{
    struct ccprof_heap_slot *slot = heap_take_slot();

    if (!slot)
        return false;
    bool known = heap_take_block(address, block);
    ccprof_heap_slots_give_back(slot);
    return known;
}

void ccprof_heap_count_freed(const struct ccprof_heap_block *block)
{
    struct ccprof_heap_slot *slot = heap_take_slot();

    if (!slot)
        return;
    heap_record_freed(slot, block, ccprof_heap_clock(), false);
    ccprof_heap_slots_give_back(slot);
}

void ccprof_heap_put_back(const struct ccprof_heap_block *block)
{
    struct ccprof_heap_block replaced;
    struct ccprof_heap_slot *slot = heap_take_slot();

    if (!slot)
        return;
    if (!heap_put_block(block, &replaced)) {
        heap_count_unkept();
        heap_record_freed(slot, block, ccprof_heap_clock(), false);
    }
    ccprof_heap_slots_give_back(slot);
}

void ccprof_heap_add_part(const struct ccprof_heap_block *block, const void *address,
                          uint64_t size)
{
    const uint64_t time = ccprof_heap_clock();
    struct ccprof_heap_stacks *stacks = &ccprof_heap->state.stacks;
    struct ccprof_heap_block part = {.address = (uintptr_t)address,
                                     .size = size,
                                     .stack =
                                         ccprof_heap_samples_blocks() ? 0 : block->stack,
                                     .born = ccprof_heap_milliseconds(time)};
    struct ccprof_heap_slot *slot = heap_take_slot();

    if (!slot)
        return;
    if (ccprof_heap_samples_blocks() && ccprof_heap_lock_take(&ccprof_heap->lock)) {
        part.stack = ccprof_heap_sizes_put(
            stacks, ccprof_heap_stacks_point(stacks, block->stack)->caller, size);
        ccprof_heap_lock_give_back(&ccprof_heap->lock);
    }
    if (part.stack)
        heap_add_block(slot, &part, time);
    else
        heap_count_unkept();
    ccprof_heap_slots_give_back(slot);
}

void ccprof_heap_forget_modules(void)
{
    ccprof_heap_walk_forget();
}

bool ccprof_heap_postpone(void (*later)(void))
{
    if (!ccprof_heap_is_prepared() || !ccprof_heap_inside)
        return false;
    ccprof_heap_later = later;
    return true;
}

void ccprof_heap_call_later(void)
{
    int saved = errno;
    void (*later)(void) = ccprof_heap_later;

    ccprof_heap_later = NULL;
    later();
    errno = saved;
}

uint64_t ccprof_heap_in_use(void)
{
    bool may = program_exits && __libc_single_threaded && !ccprof_heap_inside;

    return heap_in_use && may ? heap_in_use() : UINT64_MAX;
}

bool ccprof_heap_finds_reachable(void)
{
    return finds_reachable && !ccprof_heap_inside;
}
