/* SPDX-License-Identifier: MIT */
/* Captures stacks for heap.c.  Owns which walk a thread had last.  Called wherever the
   program calls its allocator, in any thread.  */

#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>

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

/* Notes how the walk has come from the frame, where it was a moment ago, to its
   caller.  */
static void walk_note(struct ccprof_heap_walk *walk, struct ccprof_heap_frame *frame)
{
    struct ccprof_unwind *unwind = &walk->unwind;
    const struct ccprof_unwind_short *rules =
        ccprof_unwind_short_find(unwind, frame->address);

    frame->opaque = !rules || unwind->slot == 0 ||
                    (rules->frame_register != ccprof_cpu.stack_pointer &&
                     rules->frame_register != ccprof_cpu.frame_pointer);
    for (unsigned i = 0; !frame->opaque && i < rules->saves; i++)
        if (rules->number[i] == ccprof_cpu.frame_pointer)
            frame->pointer_slot = unwind->registers[ccprof_cpu.stack_pointer] +
                                  (uint64_t)(int64_t)rules->offset[i];
}

/* Reads a word at ADDRESS, as ccprof_safe_read does.  *PAGE is a page from which a word
   was read just now, or 0.  AddressSanitizer must not check this.  */
static inline __attribute__((no_sanitize_address)) bool
walk_read(struct ccprof_safe_read *readable, uint64_t *page, uint64_t address,
          uint64_t *value)
{
    if ((address & -WALK_PAGE) == *page && address % sizeof *value == 0) {
        *value = *(const uint64_t *)(uintptr_t)address;
        return true;
    }
    *page = address & -WALK_PAGE;
    return ccprof_safe_read(readable, address, value);
}

/* Returns whether the frames around the remembered frame NUMBER are as they were.  */
static bool walk_is_as_before(struct ccprof_heap_walk *walk, uint32_t number)
{
    struct ccprof_safe_read *readable = &walk->unwind.readable;
    uint64_t page = 0, value;

    for (; number > 0; number--) {
        const struct ccprof_heap_frame *frame = &walk->frame[number];
        const struct ccprof_heap_frame *caller = frame - 1;
        if (frame->opaque || !walk_read(readable, &page, caller->slot, &value) ||
            (value & ccprof_cpu.code) != caller->pc)
            return false;
        if (frame->pointer_slot &&
            (!walk_read(readable, &page, frame->pointer_slot, &value) ||
             value != caller->pointer))
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
           known->pointer == frame->pointer && known->slot == frame->slot &&
           walk_is_as_before(walk, number);
}

/* Walks until it meets one of the frames that are remembered, or to the outermost frame.
   *KNOWN, how many frames are remembered, becomes the number of those that are still the
   same.  Returns how many are further in, CCPROF_HEAP_WALK_FRAMES if there are more.  */
static uint32_t walk_inwards(struct ccprof_heap_walk *walk, uint32_t *known)
{
    struct ccprof_unwind *unwind = &walk->unwind;
    uint32_t count = 0;

    while (ccprof_unwind_step(unwind)) {
        if (count != 0)
            walk_note(walk, &walk->inner[count - 1]);
        if (count == CCPROF_HEAP_WALK_FRAMES)
            return count;
        struct ccprof_heap_frame *frame = &walk->inner[count];
        walk_fill(walk, frame);
        while (*known != 0 && walk->frame[*known - 1].stack < frame->stack)
            --*known;
        if (*known != 0 && walk_meets(walk, frame, *known - 1))
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
    uint32_t count = walk_go(walk, registers, pc, keeps, &known);

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

uint32_t ccprof_heap_walk_number(struct ccprof_heap_walk *walk,
                                 struct ccprof_heap_stacks *stacks)
{
    uint32_t number =
        walk->numbered ? walk->frame[walk->numbered - 1].number : CCPROF_HEAP_STACKS_ROOT;

    for (; walk->numbered < walk->depth; walk->numbered++) {
        struct ccprof_heap_frame *frame = &walk->frame[walk->numbered];
        number = ccprof_heap_stacks_put(stacks, number, frame->address);
        if (number == 0)
            return CCPROF_HEAP_STACKS_CUT;
        frame->number = number;
    }
    return number;
}
