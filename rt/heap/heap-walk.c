/* SPDX-License-Identifier: MIT */
/* Captures stacks for heap.c.  Owns which walk a thread had last.  Called wherever the
   program calls its allocator, in any thread.  */

#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "rt/heap/heap-walk.h"
#include "rt/format.h"
#include "rt/os/sys.h"

/* Walks after which rules are computed again, whatever was told of modules: libc itself
   may unload one.  */
#define WALK_AGAIN 4096

/* The smallest size of a page on any processor, in bytes.  */
#define WALK_PAGE UINT64_C(4096)

/* How often a thread looks for a free walk.  */
#define WALK_TRIES 100000

/* The number of the walk that the thread had last.  */
static __thread uint32_t last;
static _Atomic uint32_t modules;
static _Atomic uint32_t threads;

struct ccprof_heap_walk *ccprof_heap_walk_take(struct ccprof_heap_walks *walks)
{
    const uint32_t number = last ? last - 1 : atomic_fetch_add(&threads, 1);

    if (last && __libc_single_threaded)
        return &walks->walk[number];
    for (unsigned i = 0; i < WALK_TRIES; i++) {
        struct ccprof_heap_walk *walk = &walks->walk[(number + i) % CCPROF_HEAP_WALKS];
        if (ccprof_spin_try_once(&walk->busy)) {
            walk->unwind.many = walk->rules;
            last = (uint32_t)(walk - walks->walk) + 1;
            return walk;
        }
        if (i >= CCPROF_HEAP_WALKS)
            ccprof_sys_yield();
    }
    return NULL;
}

uint64_t ccprof_heap_walk_memory(void)
{
    uint32_t used = atomic_load(&threads);
    return (used < CCPROF_HEAP_WALKS ? used : CCPROF_HEAP_WALKS) *
           sizeof(struct ccprof_heap_walk);
}

void ccprof_heap_walk_give_back(struct ccprof_heap_walk *walk)
{
    ccprof_spin_release(&walk->busy);
}

void ccprof_heap_walk_drop(struct ccprof_heap_walks *walks)
{
    for (unsigned i = 0; i < CCPROF_HEAP_WALKS; i++)
        ccprof_spin_release(&walks->walk[i].busy);
}

void ccprof_heap_walk_forget(void)
{
    atomic_fetch_add(&modules, 1);
}

/* Returns whether what the walk has found out before is still true.  A thread's stack
   stays readable as long as the thread lives.  */
static bool walk_keeps(struct ccprof_heap_walk *walk)
{
    uint32_t now = atomic_load_explicit(&modules, memory_order_relaxed);
    bool keeps = walk->thread == &last && walk->modules == now && walk->again != 0;

    walk->thread = &last;
    walk->modules = now;
    walk->again = keeps ? walk->again - 1 : WALK_AGAIN;
    return keeps;
}

/* Fills in what the walk has found of the frame that it has reached.  */
static void walk_fill(struct ccprof_heap_walk *walk, struct ccprof_heap_frame *frame)
{
    const struct ccprof_unwind *unwind = &walk->unwind;

    *frame =
        (struct ccprof_heap_frame){.address = unwind->exact ? unwind->pc : unwind->pc - 1,
                                   .stack = unwind->registers[ccprof_cpu.stack_pointer],
                                   .pc = unwind->pc,
                                   .pointer = unwind->registers[ccprof_cpu.frame_pointer],
                                   .slot = unwind->exact ? 0 : unwind->slot};
}

/* A hash: calls are at least a few bytes long, and lie close together.  */
static struct ccprof_heap_quick *walk_quick(struct ccprof_heap_walk *walk,
                                            uint64_t address)
{
    return &walk->quick[(address ^ address >> 5 ^ address >> 10) % CCPROF_HEAP_QUICKS];
}

/* Notes how the walk has come from the frame, where it was a moment ago, to its
   caller.  */
static void walk_note(struct ccprof_heap_walk *walk, struct ccprof_heap_frame *frame)
{
    struct ccprof_unwind *unwind = &walk->unwind;
    const struct ccprof_unwind_short *rules =
        ccprof_unwind_short_find(unwind, frame->address);
    struct ccprof_heap_quick *quick = walk_quick(walk, frame->address);

    frame->opaque = !rules || unwind->slot == 0 ||
                    (rules->frame_register != ccprof_cpu.stack_pointer &&
                     rules->frame_register != ccprof_cpu.frame_pointer);
    if (frame->opaque)
        return;
    *quick = (struct ccprof_heap_quick){.address = frame->address,
                                        .walk = unwind->walk,
                                        .frame_offset = rules->frame_offset,
                                        .return_offset = rules->return_offset,
                                        .by_pointer = rules->frame_register !=
                                                      ccprof_cpu.stack_pointer};
    for (unsigned i = 0; i < rules->saves; i++)
        if (rules->number[i] == ccprof_cpu.frame_pointer) {
            quick->saves_pointer = true;
            quick->pointer_offset = rules->offset[i];
        }
    frame->by_pointer = quick->by_pointer;
    if (quick->saves_pointer)
        frame->pointer_slot = unwind->registers[ccprof_cpu.stack_pointer] +
                              (uint64_t)(int64_t)quick->pointer_offset;
}

/* Reads a word at ADDRESS, as ccprof_safe_read does.  What was read a moment ago is still
   readable, as what READABLE remembers is.  AddressSanitizer must not check this.  */
static inline __attribute__((no_sanitize_address)) bool
walk_read(struct ccprof_heap_walk *walk, uint64_t address, uint64_t *value)
{
    if ((address & -WALK_PAGE) == walk->page && address % sizeof *value == 0) {
        *value = *(const uint64_t *)(uintptr_t)address;
        return true;
    }
    if (!ccprof_safe_read(&walk->unwind.readable, address, value))
        return false;
    walk->page = address & -WALK_PAGE;
    return true;
}

/* Returns whether the frames around the remembered frame NUMBER are as they were.  */
static bool walk_is_as_before(struct ccprof_heap_walk *walk, uint32_t number)
{
    const struct ccprof_heap_frame *frame = &walk->frame[number];
    uint64_t value;

    if (number != 0 && frame->opaque_outside)
        return false;
    for (; number > 0; number--, frame--) {
        const struct ccprof_heap_frame *caller = frame - 1;
        if (!walk_read(walk, caller->slot, &value) ||
            (value & ccprof_cpu.code) != caller->pc)
            return false;
        if (caller->needs_pointer && frame->pointer_slot &&
            (!walk_read(walk, frame->pointer_slot, &value) || value != caller->pointer))
            return false;
    }
    return true;
}

/* Returns whether FRAME is the remembered frame NUMBER, and all around it are as they
   were.  */
static bool walk_meets(struct ccprof_heap_walk *walk,
                       const struct ccprof_heap_frame *frame, uint32_t number)
{
    const struct ccprof_heap_frame *known = &walk->frame[number];

    return known->stack == frame->stack && known->pc == frame->pc &&
           (!known->needs_pointer || known->pointer == frame->pointer) &&
           known->slot == frame->slot && walk_is_as_before(walk, number);
}

/* Drops remembered frames that are further in than FRAME, and returns whether it meets
   one of those.  */
static inline bool walk_arrives(struct ccprof_heap_walk *walk,
                                const struct ccprof_heap_frame *frame, uint32_t *known)
{
    while (*known != 0 && walk->frame[*known - 1].stack < frame->stack)
        --*known;
    return *known != 0 && walk_meets(walk, frame, *known - 1);
}

/* Walks as walk_inwards does, by what walks before it have noted of all the functions on
   the way, until it meets a remembered frame.  *COUNT becomes how many frames are further
   in.  Returns false if there is something else; *KNOWN has changed then, too.  */
static bool walk_quickly(struct ccprof_heap_walk *walk, const uint64_t *registers,
                         uint64_t pc, uint32_t *known, uint32_t *count)
{
    uint64_t stack = registers[ccprof_cpu.stack_pointer];
    uint64_t pointer = registers[ccprof_cpu.frame_pointer];
    struct ccprof_heap_frame *frame = walk->inner;

    for (*count = 0; *known != 0 && *count < CCPROF_HEAP_WALK_FRAMES; ++*count, frame++) {
        const struct ccprof_heap_quick *quick = walk_quick(walk, pc - 1);
        if (quick->address != pc - 1 || quick->walk != walk->unwind.walk)
            return false;
        uint64_t outer = (quick->by_pointer ? pointer : stack) +
                         (uint64_t)(int64_t)quick->frame_offset;
        uint64_t slot = outer + (uint64_t)(int64_t)quick->return_offset;
        uint64_t pointer_slot = outer + (uint64_t)(int64_t)quick->pointer_offset;
        if (outer <= stack || !walk_read(walk, slot, &pc) ||
            (quick->saves_pointer && !walk_read(walk, pointer_slot, &pointer)))
            return false;
        pc &= ccprof_cpu.code;
        stack = outer;
        if (*count != 0) {
            frame[-1].by_pointer = quick->by_pointer;
            frame[-1].pointer_slot = quick->saves_pointer ? pointer_slot : 0;
        }
        *frame = (struct ccprof_heap_frame){.address = pc - 1,
                                            .stack = stack,
                                            .pc = pc,
                                            .pointer = pointer,
                                            .slot = slot};
        if (walk_arrives(walk, frame, known))
            return true;
    }
    return false;
}

/* Walks until it meets one of the frames that are remembered, or to the outermost frame.
   *KNOWN, how many frames are remembered, becomes the number of those that are still the
   same.  Returns how many are further in, CCPROF_HEAP_WALK_FRAMES if there are more.  */
static uint32_t walk_inwards(struct ccprof_heap_walk *walk, uint32_t *known)
{
    struct ccprof_unwind *unwind = &walk->unwind;
    /* Of the function that has called ccprof_cpu_caller.  */
    struct ccprof_heap_frame start = {.address = unwind->pc - 1};
    uint32_t count = 0;

    while (ccprof_unwind_step(unwind)) {
        walk_note(walk, count == 0 ? &start : &walk->inner[count - 1]);
        if (count == CCPROF_HEAP_WALK_FRAMES)
            return count;
        struct ccprof_heap_frame *frame = &walk->inner[count];
        walk_fill(walk, frame);
        if (walk_arrives(walk, frame, known))
            return count;
        count++;
    }
    *known = 0;
    return count;
}

/* Puts FRAME at the place NUMBER.  A number that was found for the same stack stays.  */
static void walk_put(struct ccprof_heap_walk *walk, uint32_t number,
                     const struct ccprof_heap_frame *frame)
{
    struct ccprof_heap_frame *to = &walk->frame[number];
    uint32_t known = to->number;

    if (number < walk->numbered && to->address != frame->address)
        walk->numbered = number;
    *to = *frame;
    to->number = known;
    to->needs_pointer = to->by_pointer || (number > 0 && to[-1].needs_pointer);
    to->opaque_outside = to->opaque || (number > 1 && to[-1].opaque_outside);
}

static void walk_put_special(struct ccprof_heap_walk *walk, uint64_t address)
{
    walk->whole = false;
    walk_put(walk, 0,
             &(struct ccprof_heap_frame){
                 .address = address, .stack = UINT64_MAX, .opaque = true});
}

static uint32_t walk_go(struct ccprof_heap_walk *walk, const uint64_t *registers,
                        uint64_t pc, bool keeps, uint32_t *known)
{
    memcpy(walk->unwind.registers, registers, sizeof walk->unwind.registers);
    ccprof_unwind_start_at_call(&walk->unwind, pc, keeps);
    return walk_inwards(walk, known);
}

void ccprof_heap_walk_capture(struct ccprof_heap_walk *walk, const uint64_t *registers,
                              uint64_t pc)
{
    bool keeps = walk_keeps(walk);
    uint32_t known = keeps && walk->whole ? walk->depth : 0;
    uint32_t count;

    if (!keeps)
        walk->page = 0;
    if (!walk_quickly(walk, registers, pc & ccprof_cpu.code, &known, &count)) {
        known = keeps && walk->whole ? walk->depth : 0;
        count = walk_go(walk, registers, pc, keeps, &known);
    }
    if (known != 0 && known + count > CCPROF_HEAP_WALK_FRAMES) {
        known = 0;
        count = walk_go(walk, registers, pc, true, &known);
    }
    walk->whole = true;
    if (known == 0 && count == CCPROF_HEAP_WALK_FRAMES)
        walk_put_special(walk, CCPROF_POINT_CUT);
    else if (known == 0 && (walk->unwind.broken || count == 0))
        walk_put_special(walk, CCPROF_POINT_BROKEN);
    known += !walk->whole;
    walk->depth = known + count;
    if (walk->numbered > walk->depth)
        walk->numbered = walk->depth;
    while (count-- > 0)
        walk_put(walk, known++, &walk->inner[count]);
}

/* Returns the number of the point at ADDRESS below CALLER, as ccprof_heap_stacks_put
   does. A number is for ever.  */
static uint32_t walk_below(struct ccprof_heap_walk *walk,
                           struct ccprof_heap_stacks *stacks, uint32_t caller,
                           uint64_t address)
{
    struct ccprof_heap_below *below =
        &walk->below[(address ^ address >> 7 ^ caller * 31u) % CCPROF_HEAP_BELOWS];

    if (below->number == 0 || below->address != address || below->caller != caller)
        *below = (struct ccprof_heap_below){
            .address = address,
            .caller = caller,
            .number = ccprof_heap_stacks_put(stacks, caller, address)};
    return below->number;
}

uint32_t ccprof_heap_walk_number(struct ccprof_heap_walk *walk,
                                 struct ccprof_heap_stacks *stacks)
{
    uint32_t number =
        walk->numbered ? walk->frame[walk->numbered - 1].number : CCPROF_HEAP_STACKS_ROOT;

    for (; walk->numbered < walk->depth; walk->numbered++) {
        struct ccprof_heap_frame *frame = &walk->frame[walk->numbered];
        number = walk_below(walk, stacks, number, frame->address);
        if (number == 0)
            return CCPROF_HEAP_STACKS_CUT;
        frame->number = number;
    }
    return number;
}
