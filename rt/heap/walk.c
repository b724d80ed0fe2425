/* SPDX-License-Identifier: MIT */
/* Implements walks and the cache of stacks. Owns the number of times that modules may
   have changed. heap.c calls this when the program calls its allocator, in any
   thread. */

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "rt/format.h"
#include "rt/heap/walk.h"
#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"

/* Reads the word at ADDRESS into *VALUE. Returns false if the word is not readable.
   For words in the thread's own stack, one comparison is enough. AddressSanitizer
   must not check the access. */
static inline __attribute__((always_inline, no_sanitize_address)) bool
walk_read(struct ccprof_safe_read *readable, uint64_t address, uint64_t *value)
{
    if (address - readable->low >= readable->span || address % sizeof *value != 0)
        return ccprof_safe_read(readable, address, value);
    *value = *(const uint64_t *)(uintptr_t)address;
    return true;
}

/* Number of words that are compared together. The last group is filled up with the
   address of the constant below. */
#define CACHE_STEP 8
_Static_assert(CCPROF_HEAP_CACHED_WORDS % CACHE_STEP == 0, "a stack is whole steps");

static const uint64_t padding;

static uint32_t cache_hash(const struct ccprof_heap_begin *begin)
{
    uint64_t hash = (begin->stack ^ begin->pc << 8) * UINT64_C(0x9e3779b97f4a7c15);
    return (hash >> 32) % CCPROF_HEAP_CACHED_STACKS;
}

/* Returns whether memory still has the words of STACK. All words must be in readable
   memory.

   The comparison stops at the first difference, since the walk would read the next
   word only if all words before it were the same. So each word that is read is in a
   frame in use, and never in memory that the program has reused and perhaps made
   unreadable. Words are compared in groups because most stacks have different numbers
   of words: processors predict the number of groups better. AddressSanitizer must not
   check the access. */
static __attribute__((no_sanitize_address)) bool
cache_is_in_memory(const struct ccprof_heap_cached_stack *stack)
{
    const uint64_t code = ccprof_cpu.code;

    for (const struct ccprof_heap_word *word = stack->word, *end = word + stack->words;
         word < end; word += CACHE_STEP)
#pragma GCC unroll 8
        for (unsigned i = 0; i < CACHE_STEP; i++)
            if (((*(const uint64_t *)(uintptr_t)word[i].slot ^ word[i].value) & code) !=
                0)
                return false;
    return true;
}

/* Does the same comparison if the words may be in memory that is not readable. */
static bool cache_is_readable(const struct ccprof_heap_cached_stack *stack,
                              struct ccprof_safe_read *readable)
{
    uint64_t value;

    for (unsigned i = 0; i < stack->words; i++)
        if (!walk_read(readable, stack->word[i].slot, &value) ||
            (value & ccprof_cpu.code) != stack->word[i].value)
            return false;
    return true;
}

uint32_t ccprof_heap_stack_cache_find(const struct ccprof_heap_stack_cache *cache,
                                      const struct ccprof_heap_begin *begin,
                                      struct ccprof_safe_read *readable)
{
    const struct ccprof_heap_cached_stack *stack = &cache->stack[cache_hash(begin)];

    if (stack->begin.stack != begin->stack || stack->begin.pc != begin->pc ||
        stack->begin.rules != begin->rules ||
        (stack->by_pointer && stack->begin.pointer != begin->pointer))
        return 0;
    bool mapped = stack->lowest - readable->low < readable->span &&
                  stack->highest - readable->low < readable->span;
    return (mapped ? cache_is_in_memory(stack) : cache_is_readable(stack, readable))
               ? stack->number
               : 0;
}

struct ccprof_heap_cached_stack *
ccprof_heap_stack_cache_place(struct ccprof_heap_stack_cache *cache,
                              const struct ccprof_heap_begin *begin)
{
    struct ccprof_heap_cached_stack *stack = &cache->stack[cache_hash(begin)];

    stack->begin.rules = 0;
    stack->words = 0;
    stack->lowest = UINT64_MAX;
    stack->highest = 0;
    return stack;
}

bool ccprof_heap_stack_cache_add(struct ccprof_heap_cached_stack *stack, uint64_t slot,
                                 uint64_t value)
{
    if (stack->words == CCPROF_HEAP_CACHED_WORDS || slot % sizeof value != 0)
        return false;
    stack->word[stack->words++] =
        (struct ccprof_heap_word){slot, value & ccprof_cpu.code};
    stack->lowest = slot < stack->lowest ? slot : stack->lowest;
    stack->highest = slot > stack->highest ? slot : stack->highest;
    return true;
}

void ccprof_heap_stack_cache_keep(struct ccprof_heap_cached_stack *stack,
                                  const struct ccprof_heap_begin *begin, bool by_pointer,
                                  uint32_t number)
{
    for (unsigned i = stack->words; i % CACHE_STEP != 0; i++)
        stack->word[i] = (struct ccprof_heap_word){(uintptr_t)&padding, padding};
    stack->begin = *begin;
    stack->by_pointer = by_pointer;
    stack->number = number;
}

/* After this number of walks, rules are computed again in any case, since libc itself
   may unload a module without the runtime's knowledge. */
#define WALK_AGAIN 4096

static _Atomic uint32_t forget_count;

/* The address of this variable identifies the thread. */
static __thread char thread;

void ccprof_heap_walk_forget(void)
{
    atomic_fetch_add(&forget_count, 1);
}

/* Forgets the numbers of stacks, which belong to other phases or to another thread.
   Returns false, for walk_is_still_valid. */
static bool walk_forget_numbers(struct ccprof_heap_walk *walk)
{
    ccprof_tags_get_key(&walk->tags);
    walk->root = 0;
    walk->numbered = 0;
    return false;
}

/* Returns whether remembered frames and rules are still valid. Does not check the
   content of memory, or whether it is still mapped. */
static bool walk_is_still_valid(struct ccprof_heap_walk *walk)
{
    uint32_t now = atomic_load_explicit(&forget_count, memory_order_relaxed);
    bool keeps =
        walk->thread == &thread && walk->forget_count == now && walk->walks_left != 0;

    if (walk->walks_left == 0 || !ccprof_tags_has_key(&walk->tags))
        keeps = walk_forget_numbers(walk);
    walk->thread = &thread;
    walk->forget_count = now;
    walk->walks_left = keeps ? walk->walks_left - 1 : WALK_AGAIN;
    return keeps;
}

/* Stores the current frame of the walk as inner frame NUMBER. */
static void walk_store_inner(struct ccprof_heap_walk *walk, uint32_t number)
{
    const struct ccprof_unwind *unwind = &walk->unwind;

    walk->inner.returned[number] =
        (struct ccprof_heap_word){unwind->exact ? 0 : unwind->slot, unwind->pc};
    walk->inner.frame[number] = (struct ccprof_heap_frame){
        .address = unwind->exact ? unwind->pc : unwind->pc - 1,
        .stack = unwind->registers[ccprof_cpu.stack_pointer],
        .pointer = unwind->registers[ccprof_cpu.frame_pointer]};
}

/* Returns the entry for the address. The hash takes into account that a call is at
   least a few bytes long, and that most calls are close together. */
static struct ccprof_heap_quick_step *walk_quick(struct ccprof_heap_walk *walk,
                                                 uint64_t address)
{
    return &walk->quick[(address ^ address >> 5 ^ address >> 10) %
                        CCPROF_HEAP_QUICK_STEPS];
}

/* Records how the last step went from the frame to its caller. */
static void walk_record_step(struct ccprof_heap_walk *walk,
                             struct ccprof_heap_frame *frame)
{
    struct ccprof_unwind *unwind = &walk->unwind;
    const struct ccprof_unwind_short *rules =
        ccprof_unwind_short_find(unwind, frame->address);
    struct ccprof_heap_quick_step *quick = walk_quick(walk, frame->address);

    frame->opaque = !rules || unwind->slot == 0 ||
                    (rules->frame_register != ccprof_cpu.stack_pointer &&
                     rules->frame_register != ccprof_cpu.frame_pointer);
    if (frame->opaque)
        return;
    *quick = (struct ccprof_heap_quick_step){.address = frame->address,
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

/* Returns whether the frames further out than the known frame NUMBER are unchanged:
   their return addresses, and their frame pointers where the walk depends on them.
   Goes outwards like a walk, since each word is valid only if all words before it are
   valid. */
static bool walk_is_unchanged_outside(struct ccprof_heap_walk *walk, uint32_t number)
{
    const struct ccprof_heap_frames *known = &walk->known;
    const struct ccprof_heap_frame *frame = &known->frame[number];
    uint64_t value;

    if (number != 0 && frame->opaque_outside)
        return false;
    for (uint32_t i = number; i-- > 0; frame--) {
        if (!walk_read(&walk->unwind.readable, known->returned[i].slot, &value) ||
            (value & ccprof_cpu.code) != known->returned[i].value)
            return false;
        if (frame[-1].needs_pointer && frame->pointer_slot &&
            (!walk_read(&walk->unwind.readable, frame->pointer_slot, &value) ||
             value != frame[-1].pointer))
            return false;
    }
    return true;
}

/* Drops known frames that are further in than the inner frame NUMBER. Returns whether
   this inner frame is the innermost remaining known frame, with unchanged frames
   further out. */
static inline bool walk_reaches_known(struct ccprof_heap_walk *walk, uint32_t number,
                                      uint32_t *known)
{
    const struct ccprof_heap_word *returned = &walk->inner.returned[number];
    const struct ccprof_heap_frame *frame = &walk->inner.frame[number];
    const struct ccprof_heap_frame *to = &walk->known.frame[*known];

    while (to != walk->known.frame && to[-1].stack < frame->stack)
        to--;
    *known = (uint32_t)(to - walk->known.frame);
    if (*known == 0 || to[-1].stack != frame->stack ||
        (to[-1].needs_pointer && to[-1].pointer != frame->pointer))
        return false;
    const struct ccprof_heap_word *before = &walk->known.returned[*known - 1];
    return before->value == returned->value && before->slot == returned->slot &&
           walk_is_unchanged_outside(walk, *known - 1);
}

/* Walks like walk_by_rules, but only with recorded quick steps, until it reaches a
   remembered frame. Sets *COUNT to the number of frames further in. Returns false if
   a step was not recorded or no remembered frame is reached; then *KNOWN has changed,
   too. */
static bool walk_quickly(struct ccprof_heap_walk *walk, const uint64_t *registers,
                         uint64_t pc, uint32_t *known, uint32_t *count)
{
    uint64_t stack = registers[ccprof_cpu.stack_pointer];
    uint64_t pointer = registers[ccprof_cpu.frame_pointer];
    struct ccprof_heap_frame *from = &walk->start;

    for (*count = 0; *known != 0 && *count < CCPROF_HEAP_WALK_FRAMES; ++*count) {
        const struct ccprof_heap_quick_step *quick = walk_quick(walk, pc - 1);
        if (quick->address != pc - 1 || quick->walk != walk->unwind.walk)
            return false;
        uint64_t outer = (quick->by_pointer ? pointer : stack) +
                         (uint64_t)(int64_t)quick->frame_offset;
        uint64_t slot = outer + (uint64_t)(int64_t)quick->return_offset;
        uint64_t pointer_slot = outer + (uint64_t)(int64_t)quick->pointer_offset;
        if (outer <= stack || !walk_read(&walk->unwind.readable, slot, &pc) ||
            (quick->saves_pointer &&
             !walk_read(&walk->unwind.readable, pointer_slot, &pointer)))
            return false;
        pc &= ccprof_cpu.code;
        stack = outer;
        from->by_pointer = quick->by_pointer;
        from->pointer_slot = quick->saves_pointer ? pointer_slot : 0;
        from = &walk->inner.frame[*count];
        walk->inner.returned[*count] = (struct ccprof_heap_word){slot, pc};
        *from = (struct ccprof_heap_frame){
            .address = pc - 1, .stack = stack, .pointer = pointer};
        if (walk_reaches_known(walk, *count, known))
            return true;
    }
    return false;
}

/* Walks until it reaches a remembered frame, or the outermost frame. *On entry *KNOWN
   is the number of remembered frames. On return it is the number of remembered frames
   that are unchanged. Returns the number of frames further in, at most
   CCPROF_HEAP_WALK_FRAMES. */
static uint32_t walk_by_rules(struct ccprof_heap_walk *walk, uint32_t *known)
{
    struct ccprof_unwind *unwind = &walk->unwind;
    uint32_t count = 0;

    walk->start = (struct ccprof_heap_frame){.address = unwind->pc - 1};
    while (ccprof_unwind_step(unwind)) {
        walk_record_step(walk, count == 0 ? &walk->start : &walk->inner.frame[count - 1]);
        if (count == CCPROF_HEAP_WALK_FRAMES)
            return count;
        walk_store_inner(walk, count);
        if (walk_reaches_known(walk, count, known))
            return count;
        count++;
    }
    *known = 0;
    return count;
}

/* Stores FRAME as known frame NUMBER. Keeps the stack number that is stored there if
   the address is the same. */
static void walk_store_known(struct ccprof_heap_walk *walk, uint32_t number,
                             const struct ccprof_heap_frame *frame)
{
    struct ccprof_heap_frame *to = &walk->known.frame[number];
    uint32_t known = to->number;

    if (number < walk->numbered && to->address != frame->address)
        walk->numbered = number;
    *to = *frame;
    to->number = known;
    to->needs_pointer = to->by_pointer || (number > 0 && to[-1].needs_pointer);
    to->opaque_outside = to->opaque || (number > 1 && to[-1].opaque_outside);
}

static void walk_store_special(struct ccprof_heap_walk *walk, uint64_t address)
{
    walk->whole = false;
    walk_store_known(walk, 0,
                     &(struct ccprof_heap_frame){
                         .address = address, .stack = UINT64_MAX, .opaque = true});
}

static uint32_t walk_outwards(struct ccprof_heap_walk *walk, const uint64_t *registers,
                              uint64_t pc, bool keeps, uint32_t *known)
{
    memcpy(walk->unwind.registers, registers, sizeof walk->unwind.registers);
    ccprof_unwind_start_at_call(&walk->unwind, pc, keeps);
    return walk_by_rules(walk, known);
}

/* Finds the frames of the stack. */
static void walk_find_frames(struct ccprof_heap_walk *walk, const uint64_t *registers,
                             uint64_t pc, bool keeps)
{
    uint32_t known = keeps && walk->whole ? walk->depth : 0;
    uint32_t count;

    if (!walk_quickly(walk, registers, pc & ccprof_cpu.code, &known, &count)) {
        known = keeps && walk->whole ? walk->depth : 0;
        count = walk_outwards(walk, registers, pc, keeps, &known);
    }
    if (known != 0 && known + count > CCPROF_HEAP_WALK_FRAMES) {
        known = 0;
        count = walk_outwards(walk, registers, pc, true, &known);
    }
    walk->whole = true;
    if (known == 0 && count == CCPROF_HEAP_WALK_FRAMES)
        walk_store_special(walk, CCPROF_POINT_CUT);
    else if (known == 0 && (walk->unwind.broken || count == 0))
        walk_store_special(walk, CCPROF_POINT_BROKEN);
    known += !walk->whole;
    walk->depth = known + count;
    if (walk->numbered > walk->depth)
        walk->numbered = walk->depth;
    while (count-- > 0) {
        walk->known.returned[known] = walk->inner.returned[count];
        walk_store_known(walk, known++, &walk->inner.frame[count]);
    }
}

/* Forgets which memory is readable, since the program may have unmapped it after the
   last walk. Keeps only memory that is certainly readable: the thread's own stack, or
   the page just below the stack pointer STACK, which the runtime's own calls have
   used. */
static void walk_forget_readable(struct ccprof_heap_walk *walk, uint64_t stack)
{
    struct ccprof_safe_read *readable = &walk->unwind.readable;

    if (readable->next != 0)
        *readable = (struct ccprof_safe_read){.next = 0};
    if (ccprof_thread_stack_has(stack)) {
        readable->low = ccprof_thread_stack.low;
        readable->span = ccprof_thread_stack.span;
    } else {
        readable->low = (stack - 1) & -CCPROF_SAFE_READ_PAGE;
        readable->span = CCPROF_SAFE_READ_PAGE;
    }
}

void ccprof_heap_walk_capture(struct ccprof_heap_walk *walk, const uint64_t *registers,
                              uint64_t pc)
{
    bool keeps = walk_is_still_valid(walk);

    walk->unwind.many = walk->rules;
    walk->unwind.marks = true;
    walk->begin = (struct ccprof_heap_begin){registers[ccprof_cpu.stack_pointer], pc,
                                             registers[ccprof_cpu.frame_pointer],
                                             walk->unwind.walk};
    walk_forget_readable(walk, registers[ccprof_cpu.stack_pointer]);
    walk->number = keeps ? ccprof_heap_stack_cache_find(&walk->cache, &walk->begin,
                                                        &walk->unwind.readable)
                         : 0;
    if (walk->number == 0)
        walk_find_frames(walk, registers, pc, keeps);
}

/* Adds the walk to the cache, with the stack NUMBER, if the words that it has read
   determine the stack. */
static void walk_cache(struct ccprof_heap_walk *walk, uint32_t number)
{
    const struct ccprof_heap_frames *known = &walk->known;
    const struct ccprof_heap_frame *from = &walk->start;
    const uint32_t innermost = walk->depth - 1;
    struct ccprof_heap_cached_stack *stack;

    if (!walk->whole || walk->start.opaque || walk->depth > CCPROF_HEAP_CACHED_WORDS ||
        (innermost != 0 && known->frame[innermost].opaque_outside))
        return;
    walk->begin.rules = walk->unwind.walk;
    stack = ccprof_heap_stack_cache_place(&walk->cache, &walk->begin);
    for (uint32_t i = walk->depth; i-- > 0; from = &known->frame[i]) {
        if (!ccprof_heap_stack_cache_add(stack, known->returned[i].slot,
                                         known->returned[i].value))
            return;
        if (known->frame[i].needs_pointer && from->pointer_slot &&
            !ccprof_heap_stack_cache_add(stack, from->pointer_slot,
                                         known->frame[i].pointer))
            return;
    }
    ccprof_heap_stack_cache_keep(
        stack, &walk->begin,
        walk->start.by_pointer ||
            (known->frame[innermost].needs_pointer && !walk->start.pointer_slot),
        number);
}

/* Returns the number of the point for the thread and the open phases; 0 if there is
   none, or if there is no room. */
static uint32_t walk_root(struct ccprof_heap_walk *walk,
                          struct ccprof_heap_stacks *stacks)
{
    uint64_t tags[CCPROF_TAGS_AROUND];
    uint32_t count;

    if (walk->root != 0 || (walk->tags.depth | walk->tags.thread) == 0)
        return walk->root;
    count = ccprof_tags_around(tags);
    while (count-- > 0) {
        walk->root = ccprof_heap_stacks_put(stacks, walk->root, tags[count]);
        if (walk->root == 0)
            return 0;
    }
    return walk->root;
}

uint32_t ccprof_heap_walk_number(struct ccprof_heap_walk *walk,
                                 struct ccprof_heap_stacks *stacks)
{
    uint32_t number;

    if (walk->number != 0)
        return walk->number;
    number = walk_root(walk, stacks);
    if (walk->numbered != 0)
        number = walk->known.frame[walk->numbered - 1].number;
    for (; walk->numbered < walk->depth; walk->numbered++) {
        struct ccprof_heap_frame *frame = &walk->known.frame[walk->numbered];
        number = ccprof_heap_stacks_put(stacks, number, frame->address);
        if (number == 0)
            return CCPROF_HEAP_STACKS_CUT;
        frame->number = number;
    }
    walk_cache(walk, number);
    return number;
}
