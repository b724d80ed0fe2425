/* SPDX-License-Identifier: MIT */
/* Owns the memory of the deep stacks of threads, and the credit for walks.
   ccprof_stack_capture calls take and give_back; the child of a fork calls drop; the walk
   in outer.c calls all other functions.  */

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "rt/os/memory.h"
#include "rt/unwind/outer-memory.h"

/* How many marks, chosen at random, have their return addresses read again in each check,
   besides all kept frames.  */
#define OUTER_CHECKS 8

/* Steps that a walk may make without credit: enough to reach the next mark, or to walk a
   stack that is kept unfolded.  */
#define OUTER_FREE (CCPROF_STACK_FRAMES - CCPROF_STACK_INNER + CCPROF_STACK_BETWEEN)

static _Atomic(struct ccprof_outer *) outers[CCPROF_OUTERS];
static _Atomic uint64_t outer_clock;
static _Atomic int32_t outer_credit = CCPROF_OUTER_CREDIT;

/* The address of this variable identifies the thread.  */
static _Thread_local char outer_thread;

void ccprof_outer_drop(void)
{
    for (unsigned i = 0; i < CCPROF_OUTERS; i++) {
        struct ccprof_outer *outer = outers[i];
        /* A handler was changing this memory when the process forked.  */
        if (!outer || !atomic_load(&outer->busy))
            continue;
        outer->thread = NULL;
        ccprof_spin_release(&outer->busy);
    }
}

void ccprof_outer_memory_forget(struct ccprof_outer *outer)
{
    ccprof_fold_clear(&outer->fold);
    outer->count = 0;
}

/* Returns the memory of THREAD; if THREAD is null, the memory of the thread that was
   sampled the longest time ago.  */
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

/* Returns a new memory, or null if there is no room.  */
static struct ccprof_outer *outer_make(void)
{
    struct ccprof_outer *made = NULL, *none;
    struct ccprof_pages pages;

    for (unsigned i = 0; i < CCPROF_OUTERS; i++) {
        if (outers[i])
            continue;
        if (!made && !ccprof_pages_make(&pages, sizeof *made))
            return NULL;
        if (!made)
            made = (void *)pages.at;
        made->random = 1 + i;
        none = NULL;
        if (atomic_compare_exchange_strong(&outers[i], &none, made))
            return made;
    }
    if (made)
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
        outer->need = 0;
        outer->thread = &outer_thread;
    }
    outer->used = atomic_fetch_add_explicit(&outer_clock, 1, memory_order_relaxed);
    return outer;
}

void ccprof_outer_give_back(struct ccprof_outer *outer)
{
    ccprof_spin_release(&outer->busy);
}

/* Keeps every second one of COUNT marks; returns how many are left.  */
static uint32_t outer_thin(struct ccprof_outer_mark *mark, uint32_t count)
{
    for (uint32_t i = 0; 2 * i < count; i++)
        mark[i] = mark[2 * i];
    return (count + 1) / 2;
}

uint32_t ccprof_outer_memory_thin(struct ccprof_outer *outer, uint32_t marks)
{
    struct ccprof_outer_mark *from = ccprof_outer_memory_walked(outer, marks);
    uint32_t left = outer_thin(from, marks);

    outer->count = outer_thin(outer->mark, outer->count);
    memmove(ccprof_outer_memory_walked(outer, left), from, left * sizeof *from);
    return left;
}

uint32_t ccprof_outer_memory_from(const struct ccprof_outer *outer, uint64_t frame)
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

/* The remembered slot may be one of a stack that is gone.  READABLE has only pages that
   this walk has found to be readable, and asks the kernel about others.  */
static bool outer_is_there(struct ccprof_safe_read *readable, uint64_t slot, uint64_t pc)
{
    uint64_t value;
    return ccprof_safe_read(readable, slot, &value) && (value & ccprof_cpu.code) == pc;
}

/* Forgets the marks and frames at the place AT and further in.  */
static void outer_forget_from(struct ccprof_outer *outer, int32_t at)
{
    struct ccprof_fold_frame last = {.at = at - 1};

    while (outer->count > 0 && outer->mark[outer->count - 1].at >= at)
        outer->count--;
    ccprof_fold_cut(&outer->fold, &last);
}

/* xorshift (Marsaglia, "Xorshift RNGs", 2003).  */
static uint64_t outer_random(struct ccprof_outer *outer)
{
    outer->random ^= outer->random << 13;
    outer->random ^= outer->random >> 7;
    outer->random ^= outer->random << 17;
    return outer->random;
}

bool ccprof_outer_memory_check(struct ccprof_outer *outer, uint32_t number,
                               struct ccprof_safe_read *readable)
{
    const struct ccprof_fold *fold = &outer->fold;
    uint32_t count = ccprof_fold_count(fold, outer->mark[number].at);

    for (uint32_t i = 0; i < count; i++) {
        const struct ccprof_fold_frame *frame = &fold->frame[i];
        if (frame->slot && !outer_is_there(readable, frame->slot, frame->address + 1)) {
            outer_forget_from(outer, frame->at);
            return false;
        }
    }
    for (unsigned i = 0; i < OUTER_CHECKS; i++) {
        const struct ccprof_outer_mark *mark =
            &outer->mark[outer_random(outer) % (number + 1)];
        if (mark->slot &&
            !outer_is_there(readable, mark->frame + (uint64_t)(int64_t)mark->slot,
                            mark->pc)) {
            outer_forget_from(outer, mark->at);
            return false;
        }
    }
    return true;
}

/* Remembers what the walk has found further in than the first COUNT marks.  SHIFT is
   added to the places of the new marks and frames.  */
static void outer_adopt(struct ccprof_outer *outer, uint32_t count,
                        const struct ccprof_outer_found *found, int32_t shift)
{
    struct ccprof_outer_mark *from = ccprof_outer_memory_walked(outer, found->marks);

    ccprof_fold_append(&outer->fold, found->fold, shift);
    for (uint32_t i = 0; i < found->marks; i++)
        from[i].at += shift;
    memmove(outer->mark + count, from, found->marks * sizeof *from);
    outer->count = count + found->marks;
}

void ccprof_outer_memory_extend(struct ccprof_outer *outer, uint32_t number,
                                const struct ccprof_outer_found *found)
{
    const struct ccprof_outer_mark *mark = &outer->mark[number];
    const struct ccprof_fold_frame last = {
        .address = mark->pc - 1,
        .slot = mark->slot ? mark->frame + (uint64_t)(int64_t)mark->slot : 0,
        .at = mark->at};

    ccprof_fold_cut(&outer->fold, &last);
    outer_adopt(outer, number + 1, found, mark->at + found->steps - CCPROF_OUTER_START);
}

void ccprof_outer_memory_replace(struct ccprof_outer *outer,
                                 const struct ccprof_outer_found *found, bool broken)
{
    ccprof_outer_memory_forget(outer);
    outer_adopt(outer, 0, found, found->steps - 1 - CCPROF_OUTER_START);
    outer->broken = broken;
}

/* Adds the credit of one sample; returns the credit that there is.  */
static int32_t outer_earn(void)
{
    int32_t credit = atomic_fetch_add_explicit(&outer_credit, CCPROF_OUTER_ALLOWANCE,
                                               memory_order_relaxed) +
                     CCPROF_OUTER_ALLOWANCE;

    if (credit > CCPROF_OUTER_CREDIT) {
        atomic_store_explicit(&outer_credit, CCPROF_OUTER_CREDIT, memory_order_relaxed);
        credit = CCPROF_OUTER_CREDIT;
    }
    return credit;
}

int32_t ccprof_outer_memory_limit(struct ccprof_outer *outer)
{
    int32_t credit = outer_earn();

    if (credit == CCPROF_OUTER_CREDIT)
        ccprof_outer_memory_forget(outer);
    return credit > OUTER_FREE && credit >= outer->need ? credit : OUTER_FREE;
}

void ccprof_outer_memory_pay(int32_t steps)
{
    if (steps > OUTER_FREE)
        atomic_fetch_sub_explicit(&outer_credit, steps - OUTER_FREE,
                                  memory_order_relaxed);
}

void ccprof_outer_memory_fell_short(struct ccprof_outer *outer, int32_t limit)
{
    if (limit > OUTER_FREE)
        outer->need = limit < CCPROF_OUTER_CREDIT / 2 ? 2 * limit : CCPROF_OUTER_CREDIT;
}
