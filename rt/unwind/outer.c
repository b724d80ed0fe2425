/* SPDX-License-Identifier: MIT */
/* Owns what is remembered of the deep stacks of threads.  drop: the child of a fork; the
   others: ccprof_stack_capture, in the SIGPROF handler.  */

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "rt/unwind/outer.h"
#include "rt/os/pages.h"

/* Frames of a walk that are folded together, outermost first.  */
#define OUTER_CHUNK 1024

/* Marks whose return addresses are read again, beside those of the frames kept.  */
#define OUTER_CHECKS 8

/* Steps that a walk may make without credit: to the next mark, and those of a stack that
   is kept as it is.  */
#define OUTER_FREE (CCPROF_STACK_FRAMES - CCPROF_STACK_INNER + CCPROF_STACK_BETWEEN)

/* The place from which frames of a new walk are counted, its innermost one.  */
#define OUTER_START 0

struct outer_mark {
    uint64_t frame; /* the stack pointer in this frame */
    uint64_t pc;    /* the return address into it */
    int32_t slot;   /* where that is, from FRAME on; 0: not known */
    int32_t at;     /* its place, as in the fold: 0 is the outermost frame */
};

struct ccprof_outer {
    ccprof_spin busy;
    const char *thread;
    uint64_t used; /* when */
    uint64_t random;
    int32_t need; /* credit without which no long walk is tried */
    bool broken;  /* there is no way outwards from what is remembered */
    uint32_t count;
    /* The remembered ones, outermost first, and at the other end those of the walk, so
       that the innermost one is the last.  */
    struct outer_mark mark[CCPROF_OUTER_MARKS];
    struct ccprof_fold fold, walked[2];
    struct ccprof_fold_frame chunk[OUTER_CHUNK]; /* innermost first */
};

/* A walk from the inside.  */
struct outer_walk {
    struct ccprof_outer *outer;
    struct ccprof_unwind *unwind;
    int32_t steps, limit;
    uint32_t next;       /* the number + 1 of the mark that may be met next */
    uint32_t marks;      /* of the walk */
    int32_t space, left; /* between them, and to the next one */
    uint32_t in_chunk;   /* frames that are not folded yet */
    unsigned walked;     /* which of the folds is the walk's */
    uint64_t frame;      /* of the last step */
    bool odd;            /* frames are not one above the other */
};

static _Atomic(struct ccprof_outer *) outers[CCPROF_OUTERS];
static _Atomic uint64_t outer_clock;
static _Atomic int32_t outer_credit = CCPROF_OUTER_CREDIT;

/* Its address is the thread's name.  */
static _Thread_local char outer_thread;

void ccprof_outer_drop(void)
{
    for (unsigned i = 0; i < CCPROF_OUTERS; i++) {
        struct ccprof_outer *outer = outers[i];
        /* What it was doing was not finished.  */
        if (!outer || !atomic_load(&outer->busy))
            continue;
        outer->thread = NULL;
        ccprof_spin_release(&outer->busy);
    }
}

static void outer_forget(struct ccprof_outer *outer)
{
    ccprof_fold_clear(&outer->fold);
    outer->count = 0;
}

/* One that nobody has, of THREAD; null: of the one that was sampled last long ago.  */
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

/* A new one, if there is room.  */
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

/* Credit for the sample; returns what there is.  */
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

/* Every other one of COUNT marks.  */
static uint32_t outer_thin(struct outer_mark *mark, uint32_t count)
{
    for (uint32_t i = 0; 2 * i < count; i++)
        mark[i] = mark[2 * i];
    return (count + 1) / 2;
}

static struct outer_mark *outer_walked(const struct outer_walk *walk)
{
    return walk->outer->mark + CCPROF_OUTER_MARKS - walk->marks;
}

static void outer_make_room(struct outer_walk *walk)
{
    struct ccprof_outer *outer = walk->outer;
    uint32_t before = walk->marks;

    outer->count = outer_thin(outer->mark, outer->count);
    if (walk->next > outer->count)
        walk->next = outer->count;
    walk->marks = outer_thin(outer_walked(walk), before);
    memmove(outer_walked(walk), outer->mark + CCPROF_OUTER_MARKS - before,
            walk->marks * sizeof *outer->mark);
    walk->space *= 2;
}

static void outer_mark(struct outer_walk *walk, const struct ccprof_fold_frame *frame)
{
    const struct ccprof_unwind *unwind = walk->unwind;
    int64_t slot = (int64_t)(frame->slot - walk->frame);

    walk->left = walk->space - 1;
    if (walk->odd || unwind->exact)
        return;
    if (walk->outer->count + walk->marks == CCPROF_OUTER_MARKS)
        outer_make_room(walk);
    walk->marks++;
    *outer_walked(walk) = (struct outer_mark){
        .frame = walk->frame,
        .pc = unwind->pc,
        .slot = frame->slot && slot == (int32_t)slot ? (int32_t)slot : 0,
        .at = frame->at};
}

/* Folds the chunk, and what was walked before behind it.  */
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

static bool outer_is_there(struct outer_walk *walk, uint64_t slot, uint64_t pc)
{
    uint64_t value;
    return ccprof_safe_read(&walk->unwind->readable, slot, &value) &&
           (value & ccprof_cpu.code) == pc;
}

/* Forgets what is at AT and further in.  */
static void outer_forget_from(struct outer_walk *walk, int32_t at)
{
    struct ccprof_outer *outer = walk->outer;
    struct ccprof_fold_frame last = {.at = at - 1};

    while (outer->count > 0 && outer->mark[outer->count - 1].at >= at)
        outer->count--;
    if (walk->next > outer->count)
        walk->next = outer->count;
    ccprof_fold_cut(&outer->fold, &last);
}

/* xorshift (Marsaglia, 2003).  */
static uint64_t outer_random(struct ccprof_outer *outer)
{
    outer->random ^= outer->random << 13;
    outer->random ^= outer->random >> 7;
    outer->random ^= outer->random << 17;
    return outer->random;
}

/* Whether what is remembered from the mark on outwards is still there, as far as it is
   looked at.  */
static bool outer_check(struct outer_walk *walk, uint32_t number)
{
    struct ccprof_outer *outer = walk->outer;
    const struct ccprof_fold *fold = &outer->fold;
    uint32_t count = ccprof_fold_count(fold, outer->mark[number].at);

    for (uint32_t i = 0; i < count; i++) {
        const struct ccprof_fold_frame *frame = &fold->frame[i];
        if (frame->slot && !outer_is_there(walk, frame->slot, frame->address + 1)) {
            outer_forget_from(walk, frame->at);
            return false;
        }
    }
    for (unsigned i = 0; i < OUTER_CHECKS; i++) {
        const struct outer_mark *mark = &outer->mark[outer_random(outer) % (number + 1)];
        if (mark->slot &&
            !outer_is_there(walk, mark->frame + (uint64_t)(int64_t)mark->slot,
                            mark->pc)) {
            outer_forget_from(walk, mark->at);
            return false;
        }
    }
    return true;
}

/* Whether the walk has met a mark: then it is the last one of those that may be met.  */
static bool outer_meets(struct outer_walk *walk)
{
    const struct ccprof_outer *outer = walk->outer;

    while (walk->next > 0 && outer->mark[walk->next - 1].frame < walk->frame)
        walk->next--;
    if (walk->next == 0 || walk->odd)
        return false;
    const struct outer_mark *mark = &outer->mark[walk->next - 1];
    if (mark->frame != walk->frame || mark->pc != walk->unwind->pc)
        return false;
    /* A stack that can be kept as it is is walked to its end.  */
    if (CCPROF_STACK_INNER + walk->steps + mark->at + 1 <= CCPROF_STACK_FRAMES)
        return false;
    return outer_check(walk, walk->next - 1);
}

enum outer_end { OUTER_MET, OUTER_BOTTOM, OUTER_LIMIT };

/* Walks until it meets a mark, which is then the number NEXT - 1 and not walked, or until
   there is no caller any more, or no credit.  */
static enum outer_end outer_go(struct outer_walk *walk)
{
    struct ccprof_unwind *unwind = walk->unwind;
    struct ccprof_outer *outer = walk->outer;

    do {
        uint64_t frame = unwind->registers[ccprof_cpu.stack_pointer];
        walk->odd |= frame <= walk->frame;
        walk->frame = frame;
        if (outer_meets(walk))
            return OUTER_MET;
        if (walk->steps == walk->limit)
            return OUTER_LIMIT;
        if (walk->in_chunk == OUTER_CHUNK)
            outer_fold(walk);
        struct ccprof_fold_frame *to = &outer->chunk[walk->in_chunk++];
        to->address = unwind->exact ? unwind->pc : unwind->pc - 1;
        to->slot = unwind->exact ? 0 : unwind->slot;
        to->at = OUTER_START - walk->steps;
        if (walk->left-- == 0)
            outer_mark(walk, to);
        walk->steps++;
    } while (ccprof_unwind_step(unwind));
    return OUTER_BOTTOM;
}

static void outer_put(struct ccprof_stack *stack, uint64_t address)
{
    stack->address[stack->depth++] = address;
}

/* The frames of the walk as they are; none of them is folded yet.  */
static void outer_put_chunk(const struct outer_walk *walk, struct ccprof_stack *stack)
{
    for (uint32_t i = 0; i < walk->in_chunk; i++)
        outer_put(stack, walk->outer->chunk[i].address);
}

/* The frames of a fold that are not further in than AT, which is the next one outwards
   from what is on the stack.  Between two frames there is a mark for those that were left
   out, but where all are at the same call as the outer one.  */
static void outer_put_fold(const struct ccprof_fold *fold, int32_t at,
                           struct ccprof_stack *stack)
{
    for (uint32_t i = ccprof_fold_count(fold, at); i-- > 0;) {
        const struct ccprof_fold_frame *frame = &fold->frame[i];
        bool full = fold->full && fold->full_at <= at;
        if (full)
            outer_put(stack, CCPROF_STACK_CUT);
        else if (frame->at != at && !frame->first)
            outer_put(stack, CCPROF_STACK_REPEATED);
        outer_put(stack, frame->address);
        at = frame->at - 1;
    }
}

/* All that is known outwards has been put.  */
static void outer_put_end(struct ccprof_stack *stack, bool broken)
{
    if (broken)
        outer_put(stack, CCPROF_STACK_BROKEN);
}

/* Remembers what was walked further in than the mark of that NUMBER.  */
static void outer_extend(struct outer_walk *walk, uint32_t number)
{
    struct ccprof_outer *outer = walk->outer;
    const struct outer_mark *mark = &outer->mark[number];
    const struct ccprof_fold_frame last = {
        .address = mark->pc - 1,
        .slot = mark->slot ? mark->frame + (uint64_t)(int64_t)mark->slot : 0,
        .at = mark->at};
    int32_t shift = mark->at + walk->steps - OUTER_START;

    ccprof_fold_cut(&outer->fold, &last);
    ccprof_fold_append(&outer->fold, &outer->walked[walk->walked], shift);
    struct outer_mark *from = outer_walked(walk);
    for (uint32_t i = 0; i < walk->marks; i++)
        from[i].at += shift;
    memmove(outer->mark + number + 1, from, walk->marks * sizeof *from);
    outer->count = number + 1 + walk->marks;
}

/* Remembers what was walked and nothing else.  */
static void outer_replace(struct outer_walk *walk)
{
    struct ccprof_outer *outer = walk->outer;
    int32_t shift = walk->steps - 1 - OUTER_START;

    outer_forget(outer);
    if (walk->odd)
        return;
    ccprof_fold_append(&outer->fold, &outer->walked[walk->walked], shift);
    struct outer_mark *from = outer_walked(walk);
    for (uint32_t i = 0; i < walk->marks; i++)
        from[i].at += shift;
    memmove(outer->mark, from, walk->marks * sizeof *from);
    outer->count = walk->marks;
    outer->broken = walk->unwind->broken;
}

/* The marks that are not further in than the frame.  */
static uint32_t outer_from(const struct ccprof_outer *outer, uint64_t frame)
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

static void outer_start(struct outer_walk *walk, struct ccprof_outer *outer,
                        struct ccprof_unwind *unwind)
{
    int32_t credit = outer_earn();

    *walk = (struct outer_walk){
        .outer = outer, .unwind = unwind, .space = CCPROF_OUTER_SPACE};
    ccprof_fold_clear(&outer->walked[0]);
    walk->limit = credit > OUTER_FREE && credit >= outer->need ? credit : OUTER_FREE;
    if (credit == CCPROF_OUTER_CREDIT)
        outer_forget(outer);
    walk->next = outer_from(outer, unwind->registers[ccprof_cpu.stack_pointer]);
}

static void outer_pay(const struct outer_walk *walk)
{
    if (walk->steps > OUTER_FREE)
        atomic_fetch_sub_explicit(&outer_credit, walk->steps - OUTER_FREE,
                                  memory_order_relaxed);
}

void ccprof_outer_put(struct ccprof_outer *outer, struct ccprof_unwind *unwind,
                      struct ccprof_stack *stack)
{
    struct outer_walk walk;
    enum outer_end end;

    outer_start(&walk, outer, unwind);
    end = outer_go(&walk);
    outer_pay(&walk);
    if (end == OUTER_MET && walk.steps <= CCPROF_STACK_BETWEEN) {
        outer_put_chunk(&walk, stack);
        outer_put_fold(&outer->fold, outer->mark[walk.next - 1].at, stack);
        outer_put_end(stack, outer->broken);
        return;
    }
    if (end == OUTER_BOTTOM && walk.steps <= CCPROF_STACK_FRAMES - CCPROF_STACK_INNER) {
        outer_put_chunk(&walk, stack);
        outer_put_end(stack, unwind->broken);
        return;
    }
    outer_fold(&walk);
    if (end == OUTER_LIMIT) {
        if (walk.limit > OUTER_FREE)
            outer->need = walk.limit < CCPROF_OUTER_CREDIT / 2 ? 2 * walk.limit
                                                               : CCPROF_OUTER_CREDIT;
        outer_put_fold(&outer->walked[walk.walked], OUTER_START, stack);
        outer_put(stack, CCPROF_STACK_CUT);
        return;
    }
    outer->need = 0;
    if (end == OUTER_BOTTOM) {
        outer_put_fold(&outer->walked[walk.walked], OUTER_START, stack);
        outer_put_end(stack, unwind->broken);
        outer_replace(&walk);
        return;
    }
    outer_extend(&walk, walk.next - 1);
    outer_put_fold(&outer->fold, outer->fold.last.at, stack);
    outer_put_end(stack, outer->broken);
}
