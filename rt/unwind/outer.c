/* SPDX-License-Identifier: MIT */
/* Walks deep stacks, and keeps the records of their outer frames. */

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "rt/unwind/outer.h"
#include "rt/os/lock.h"
#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"
#include "rt/unwind/fold.h"

/* Number of frames of a walk that are folded together. A fold is made from the
   outermost frame on, but a walk finds the innermost frame first. */
#define OUTER_CHUNK 1024

/* The place of the innermost frame of a new walk. */
#define OUTER_START 0

struct outer_mark {
    uint64_t frame; /* stack pointer in this frame */
    uint64_t pc;    /* return address into this frame */
    int32_t slot;   /* address of the return address minus FRAME; 0: unknown */
    int32_t place;  /* place, as in the fold; 0: outermost frame */
};

struct ccprof_outer {
    ccprof_spin busy;
    /* All threads read these two members, to find a record. */
    const char *_Atomic thread;
    _Atomic uint64_t used; /* time of the last sample, by outer_clock */
    uint64_t random;
    int32_t min_credit; /* minimum credit for a long walk */
    bool broken;        /* unwinding fails at the outermost recorded frame */
    uint32_t count;
    /* The recorded marks are at the start of the array, outermost first. The marks of
       the current walk are at the end, the innermost one last. */
    struct outer_mark mark[CCPROF_OUTER_MARKS];
    struct ccprof_fold fold, walked[2];
    struct ccprof_fold_frame chunk[OUTER_CHUNK]; /* innermost first */
};

/* The result of a walk. */
struct outer_found {
    const struct ccprof_fold *fold; /* its places count from OUTER_START on */
    uint32_t marks;                 /* number of the walk's marks at the end of MARK */
    int32_t steps;
};

/* Number of randomly chosen marks whose return addresses are read again in each check,
   in addition to all kept frames. */
#define OUTER_CHECKS 8

/* Number of steps that a walk may make without credit: enough to reach the next mark,
   or to walk a stack that is kept unfolded. */
#define OUTER_FREE (CCPROF_STACK_FRAMES - CCPROF_STACK_INNER + CCPROF_STACK_BETWEEN)

/* Returns the outermost of the MARKS marks of the current walk. The other marks
   follow it in the array. */
static struct outer_mark *outer_walk_marks(struct ccprof_outer *outer, uint32_t marks)
{
    return outer->mark + CCPROF_OUTER_MARKS - marks;
}

static _Atomic(struct ccprof_outer *) outers[CCPROF_OUTERS];
static _Atomic uint64_t outer_clock;
static _Atomic int32_t outer_credit = CCPROF_OUTER_CREDIT;

/* The address of this variable identifies the thread. */
static _Thread_local char outer_thread;

void ccprof_outer_drop(void)
{
    for (unsigned i = 0; i < CCPROF_OUTERS; i++) {
        struct ccprof_outer *outer = outers[i];
        /* If the flag is set, a handler was changing this record when the process
           forked. */
        if (!outer || !atomic_load(&outer->busy))
            continue;
        outer->thread = NULL;
        ccprof_spin_release(&outer->busy);
    }
}

/* Removes all frames from the record. */
static void outer_forget(struct ccprof_outer *outer)
{
    ccprof_fold_clear(&outer->fold);
    outer->count = 0;
}

/* Returns the record of THREAD. If THREAD is null, returns the record of the least
   recently sampled thread. */
static struct ccprof_outer *outer_find(const char *thread)
{
    struct ccprof_outer *found = NULL;

    for (unsigned i = 0; i < CCPROF_OUTERS && outers[i]; i++) {
        struct ccprof_outer *outer = outers[i];
        if (thread ? outer->thread == thread : !found || outer->used < found->used)
            found = outer;
    }
    return found;
}

/* Returns a new record, or null if there is no room. */
static struct ccprof_outer *outer_make(void)
{
    struct ccprof_outer *record = NULL, *none;
    struct ccprof_pages pages;

    for (unsigned i = 0; i < CCPROF_OUTERS; i++) {
        if (outers[i])
            continue;
        if (!record && !ccprof_pages_make(&pages, sizeof *record))
            return NULL;
        if (!record)
            record = (void *)pages.start;
        record->random = 1 + i;
        none = NULL;
        if (atomic_compare_exchange_strong(&outers[i], &none, record))
            return record;
    }
    if (record)
        ccprof_pages_free(&pages);
    return NULL;
}

struct ccprof_outer *ccprof_outer_take(void)
{
    struct ccprof_outer *outer = outer_find(&outer_thread);

    if (!outer)
        outer = outer_make();
    if (!outer)
        outer = outer_find(NULL);
    if (!outer || !ccprof_spin_try_once(&outer->busy))
        return NULL;
    if (outer->thread != &outer_thread) {
        memset(&outer->fold, 0, sizeof outer->fold);
        memset(outer->walked, 0, sizeof outer->walked);
        outer->count = 0;
        outer->min_credit = 0;
        outer->thread = &outer_thread;
    }
    outer->used = atomic_fetch_add_explicit(&outer_clock, 1, memory_order_relaxed);
    return outer;
}

void ccprof_outer_give_back(struct ccprof_outer *outer)
{
    ccprof_spin_release(&outer->busy);
}

/* Keeps every second one of COUNT marks. Returns the number of remaining marks. */
static uint32_t outer_thin_marks(struct outer_mark *mark, uint32_t count)
{
    for (uint32_t i = 0; 2 * i < count; i++)
        mark[i] = mark[2 * i];
    return (count + 1) / 2;
}

/* Keeps every second mark, both of the recorded marks and of the MARKS marks of the
   walk. Returns the number of remaining marks of the walk. */
static uint32_t outer_thin(struct ccprof_outer *outer, uint32_t marks)
{
    struct outer_mark *from = outer_walk_marks(outer, marks);
    uint32_t left = outer_thin_marks(from, marks);

    outer->count = outer_thin_marks(outer->mark, outer->count);
    memmove(outer_walk_marks(outer, left), from, left * sizeof *from);
    return left;
}

/* Returns the number of recorded marks that are at the frame with the stack pointer
   FRAME or further out. */
static uint32_t outer_count_outside(const struct ccprof_outer *outer, uint64_t frame)
{
    uint32_t low = 0, high = outer->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (outer->mark[middle].frame >= frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns whether the return address PC is still stored at SLOT. SLOT may be in a
   stack that no longer exists: READABLE accepts only pages that this walk has found to
   be readable, and checks other pages with the kernel. */
static bool outer_is_unchanged(struct ccprof_safe_read *readable, uint64_t slot,
                               uint64_t pc)
{
    uint64_t value;
    return ccprof_safe_read(readable, slot, &value) && (value & ccprof_cpu.code) == pc;
}

/* Removes the marks and frames that are at PLACE or further in. */
static void outer_forget_from(struct ccprof_outer *outer, int32_t place)
{
    struct ccprof_fold_frame last = {.place = place - 1};

    while (outer->count > 0 && outer->mark[outer->count - 1].place >= place)
        outer->count--;
    ccprof_fold_cut(&outer->fold, &last);
}

/* A random number by xorshift (Marsaglia, "Xorshift RNGs", 2003). */
static uint64_t outer_random(struct ccprof_outer *outer)
{
    outer->random ^= outer->random << 13;
    outer->random ^= outer->random >> 7;
    outer->random ^= outer->random << 17;
    return outer->random;
}

/* Checks the recorded frames from mark NUMBER outwards, by reading some return
   addresses again. Returns true if these are unchanged. Otherwise removes the
   changed frame and all frames further in from the record, and returns false. */
static bool outer_check(struct ccprof_outer *outer, uint32_t number,
                        struct ccprof_safe_read *readable)
{
    const struct ccprof_fold *fold = &outer->fold;
    uint32_t count = ccprof_fold_count(fold, outer->mark[number].place);

    for (uint32_t i = 0; i < count; i++) {
        const struct ccprof_fold_frame *frame = &fold->frame[i];
        if (frame->slot &&
            !outer_is_unchanged(readable, frame->slot, frame->address + 1)) {
            outer_forget_from(outer, frame->place);
            return false;
        }
    }
    for (unsigned i = 0; i < OUTER_CHECKS; i++) {
        const struct outer_mark *mark = &outer->mark[outer_random(outer) % (number + 1)];
        if (mark->slot &&
            !outer_is_unchanged(readable, mark->frame + (uint64_t)(int64_t)mark->slot,
                                mark->pc)) {
            outer_forget_from(outer, mark->place);
            return false;
        }
    }
    return true;
}

/* Adds the frames of the walk to the record, further in than the first COUNT marks.
   Adds SHIFT to the places of the new marks and frames. */
static void outer_append_walk(struct ccprof_outer *outer, uint32_t count,
                              const struct outer_found *found, int32_t shift)
{
    struct outer_mark *from = outer_walk_marks(outer, found->marks);

    ccprof_fold_append(&outer->fold, found->fold, shift);
    for (uint32_t i = 0; i < found->marks; i++)
        from[i].place += shift;
    memmove(outer->mark + count, from, found->marks * sizeof *from);
    outer->count = count + found->marks;
}

/* Replaces the recorded frames further in than mark NUMBER with the frames of the
   walk. */
static void outer_replace_inner(struct ccprof_outer *outer, uint32_t number,
                                const struct outer_found *found)
{
    const struct outer_mark *mark = &outer->mark[number];
    const struct ccprof_fold_frame last = {
        .address = mark->pc - 1,
        .slot = mark->slot ? mark->frame + (uint64_t)(int64_t)mark->slot : 0,
        .place = mark->place};

    ccprof_fold_cut(&outer->fold, &last);
    outer_append_walk(outer, number + 1, found, mark->place + found->steps - OUTER_START);
}

/* Replaces the whole record with the frames of the walk. BROKEN: unwinding failed at
   the outermost frame. */
static void outer_replace_all(struct ccprof_outer *outer, const struct outer_found *found,
                              bool broken)
{
    outer_forget(outer);
    outer_append_walk(outer, 0, found, found->steps - 1 - OUTER_START);
    outer->broken = broken;
}

/* Adds the credit of one sample, and returns the number of steps that the walk may
   make. If the credit is at its maximum, removes all frames from the record, so that
   the walk covers the whole stack. */
static int32_t outer_limit(struct ccprof_outer *outer)
{
    int32_t credit = atomic_fetch_add_explicit(&outer_credit, CCPROF_OUTER_ALLOWANCE,
                                               memory_order_relaxed) +
                     CCPROF_OUTER_ALLOWANCE;

    if (credit > CCPROF_OUTER_CREDIT) {
        atomic_store_explicit(&outer_credit, CCPROF_OUTER_CREDIT, memory_order_relaxed);
        credit = CCPROF_OUTER_CREDIT;
    }
    if (credit == CCPROF_OUTER_CREDIT)
        outer_forget(outer);
    return credit > OUTER_FREE && credit >= outer->min_credit ? credit : OUTER_FREE;
}

/* The state of a walk, which goes from the inside outwards. */
struct outer_walk {
    struct ccprof_outer *outer;
    struct ccprof_unwind *unwind;
    int32_t steps, limit;
    uint32_t next;       /* index + 1 of the mark that the walk may reach next */
    uint32_t marks;      /* number of marks made by this walk, at the end of MARK */
    int32_t space, left; /* frames between two marks, and before the next mark */
    uint32_t in_chunk;   /* number of frames not folded yet */
    unsigned walked;     /* index of this walk's fold in outer->walked */
    uint64_t frame;      /* stack pointer of the last frame */
    bool is_irregular;   /* some frame's stack pointer is not higher than its callee's */
};

/* Corrects NEXT after marks were removed: the walk can only reach recorded marks. */
static void outer_limit_next(struct outer_walk *walk)
{
    if (walk->next > walk->outer->count)
        walk->next = walk->outer->count;
}

static void outer_mark(struct outer_walk *walk, const struct ccprof_fold_frame *frame)
{
    const struct ccprof_unwind *unwind = walk->unwind;
    int64_t slot = (int64_t)(frame->slot - walk->frame);

    walk->left = walk->space - 1;
    if (walk->is_irregular || unwind->exact)
        return;
    if (walk->outer->count + walk->marks == CCPROF_OUTER_MARKS) {
        walk->marks = outer_thin(walk->outer, walk->marks);
        walk->space *= 2;
        outer_limit_next(walk);
    }
    walk->marks++;
    *outer_walk_marks(walk->outer, walk->marks) = (struct outer_mark){
        .frame = walk->frame,
        .pc = unwind->pc,
        .slot = frame->slot && slot == (int32_t)slot ? (int32_t)slot : 0,
        .place = frame->place};
}

/* Folds the chunk, and appends the fold of the frames further in, which were walked
   before. */
static void outer_fold(struct outer_walk *walk)
{
    struct ccprof_outer *outer = walk->outer;
    const struct ccprof_fold *inner = &outer->walked[walk->walked];
    struct ccprof_fold *fold = &outer->walked[!walk->walked];

    ccprof_fold_clear(fold);
    while (walk->in_chunk > 0)
        ccprof_fold_add(fold, &outer->chunk[--walk->in_chunk]);
    ccprof_fold_append(fold, inner, 0);
    walk->walked = !walk->walked;
}

/* Returns whether the walk is at a marked frame whose outer frames are unchanged. The
   mark has the index NEXT - 1. */
static bool outer_reaches_mark(struct outer_walk *walk)
{
    struct ccprof_outer *outer = walk->outer;

    while (walk->next > 0 && outer->mark[walk->next - 1].frame < walk->frame)
        walk->next--;
    if (walk->next == 0 || walk->is_irregular)
        return false;
    const struct outer_mark *mark = &outer->mark[walk->next - 1];
    if (mark->frame != walk->frame || mark->pc != walk->unwind->pc)
        return false;
    /* If the stack is short enough to be kept unfolded, it is walked to its end. */
    if (CCPROF_STACK_INNER + walk->steps + mark->place + 1 <= CCPROF_STACK_FRAMES)
        return false;
    bool same = outer_check(outer, walk->next - 1, &walk->unwind->readable);
    outer_limit_next(walk);
    return same;
}

enum outer_end { OUTER_AT_MARK, OUTER_BOTTOM, OUTER_LIMIT };

/* Walks until the walk reaches mark NEXT - 1 (whose frame is not added), or there is
   no caller, or the walk has used its credit. */
static enum outer_end outer_walk_on(struct outer_walk *walk)
{
    struct ccprof_unwind *unwind = walk->unwind;
    struct ccprof_outer *outer = walk->outer;

    do {
        uint64_t frame = unwind->registers[ccprof_cpu.stack_pointer];
        walk->is_irregular |= frame <= walk->frame;
        walk->frame = frame;
        if (outer_reaches_mark(walk))
            return OUTER_AT_MARK;
        if (walk->steps == walk->limit)
            return OUTER_LIMIT;
        if (walk->in_chunk == OUTER_CHUNK)
            outer_fold(walk);
        struct ccprof_fold_frame *to = &outer->chunk[walk->in_chunk++];
        to->address = unwind->exact ? unwind->pc : unwind->pc - 1;
        to->slot = unwind->exact ? 0 : unwind->slot;
        to->place = OUTER_START - walk->steps;
        if (walk->left-- == 0)
            outer_mark(walk, to);
        walk->steps++;
    } while (ccprof_unwind_step(unwind));
    return OUTER_BOTTOM;
}

static void outer_add(struct ccprof_stack *stack, uint64_t address)
{
    stack->address[stack->depth++] = address;
}

/* Adds the frames of the walk unfolded. None of them must have been folded. */
static void outer_add_chunk(const struct outer_walk *walk, struct ccprof_stack *stack)
{
    for (uint32_t i = 0; i < walk->in_chunk; i++)
        outer_add(stack, walk->outer->chunk[i].address);
}

/* Adds the frames of the fold that are at PLACE or further out. PLACE is the
   place of the next frame outside of the stack. If frames were left out, adds a
   special address between two frames, unless all of the left out frames are at the
   same call as the frame further out. */
static void outer_add_fold(const struct ccprof_fold *fold, int32_t place,
                           struct ccprof_stack *stack)
{
    for (uint32_t i = ccprof_fold_count(fold, place); i-- > 0;) {
        const struct ccprof_fold_frame *frame = &fold->frame[i];
        bool full = fold->full && fold->full_at <= place;
        if (full)
            outer_add(stack, CCPROF_STACK_CUT);
        else if (frame->place != place && !frame->first)
            outer_add(stack, CCPROF_STACK_REPEATED);
        outer_add(stack, frame->address);
        place = frame->place - 1;
    }
}

/* Ends the stack. BROKEN: unwinding has failed here. */
static void outer_add_end(struct ccprof_stack *stack, bool broken)
{
    if (broken)
        outer_add(stack, CCPROF_STACK_BROKEN);
}

void ccprof_outer_capture(struct ccprof_outer *outer, struct ccprof_unwind *unwind,
                          struct ccprof_stack *stack)
{
    struct outer_walk walk = {
        .outer = outer, .unwind = unwind, .space = CCPROF_OUTER_SPACE};
    struct outer_found found;
    enum outer_end end;

    ccprof_fold_clear(&outer->walked[0]);
    walk.limit = outer_limit(outer);
    walk.next = outer_count_outside(outer, unwind->registers[ccprof_cpu.stack_pointer]);
    end = outer_walk_on(&walk);
    if (walk.steps > OUTER_FREE)
        atomic_fetch_sub_explicit(&outer_credit, walk.steps - OUTER_FREE,
                                  memory_order_relaxed);
    if (end == OUTER_AT_MARK && walk.steps <= CCPROF_STACK_BETWEEN) {
        outer_add_chunk(&walk, stack);
        outer_add_fold(&outer->fold, outer->mark[walk.next - 1].place, stack);
        outer_add_end(stack, outer->broken);
        return;
    }
    if (end == OUTER_BOTTOM && walk.steps <= CCPROF_STACK_FRAMES - CCPROF_STACK_INNER) {
        outer_add_chunk(&walk, stack);
        outer_add_end(stack, unwind->broken);
        return;
    }
    outer_fold(&walk);
    found = (struct outer_found){
        .fold = &outer->walked[walk.walked], .marks = walk.marks, .steps = walk.steps};
    if (end == OUTER_LIMIT) {
        /* The next long walk must wait until the credit is twice LIMIT, or at its
           maximum. */
        if (walk.limit > OUTER_FREE)
            outer->min_credit = walk.limit < CCPROF_OUTER_CREDIT / 2
                                    ? 2 * walk.limit
                                    : CCPROF_OUTER_CREDIT;
        outer_add_fold(found.fold, OUTER_START, stack);
        outer_add(stack, CCPROF_STACK_CUT);
        return;
    }
    outer->min_credit = 0;
    if (end == OUTER_BOTTOM) {
        outer_add_fold(found.fold, OUTER_START, stack);
        outer_add_end(stack, unwind->broken);
        if (walk.is_irregular)
            outer_forget(outer);
        else
            outer_replace_all(outer, &found, unwind->broken);
        return;
    }
    outer_replace_inner(outer, walk.next - 1, &found);
    outer_add_fold(&outer->fold, outer->fold.last.place, stack);
    outer_add_end(stack, outer->broken);
}
