/* SPDX-License-Identifier: MIT */
/* Walks a deep stack outwards until the walk meets a mark of what is remembered
   (outer-memory.h).  Puts the frames of the walk on the sample's stack, followed by what
   is remembered from the mark on outwards, and remembers the frames of the walk for the
   next one.  Owns nothing.  Called by ccprof_stack_capture, in the SIGPROF handler.  */

#include "rt/unwind/outer.h"
#include "rt/unwind/outer-memory.h"

/* A walk, from the inside outwards.  */
struct outer_walk {
    struct ccprof_outer *outer;
    struct ccprof_unwind *unwind;
    int32_t steps, limit;
    uint32_t next;       /* number + 1 of the mark that the walk may meet next */
    uint32_t marks;      /* marks that this walk has made, at the end of the memory */
    int32_t space, left; /* frames between two marks, and until the next mark */
    uint32_t in_chunk;   /* frames that are not folded yet */
    unsigned walked;     /* which element of outer->walked is the fold of this walk */
    uint64_t frame;      /* stack pointer of the last frame */
    bool odd;            /* the stack pointers of the frames do not always grow */
};

/* The walk can only meet marks that are still remembered.  */
static void outer_limit_next(struct outer_walk *walk)
{
    if (walk->next > walk->outer->count)
        walk->next = walk->outer->count;
}

/* Drops every second mark.  */
static void outer_make_room(struct outer_walk *walk)
{
    walk->marks = ccprof_outer_memory_thin(walk->outer, walk->marks);
    walk->space *= 2;
    outer_limit_next(walk);
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
    *ccprof_outer_memory_walked(walk->outer, walk->marks) = (struct ccprof_outer_mark){
        .frame = walk->frame,
        .pc = unwind->pc,
        .slot = frame->slot && slot == (int32_t)slot ? (int32_t)slot : 0,
        .at = frame->at};
}

/* Folds the chunk and appends the fold of the frames further in, which were walked
   before.  */
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

/* Returns whether the walk is at a marked frame whose outer frames are as remembered:
   mark number NEXT - 1.  */
static bool outer_meets(struct outer_walk *walk)
{
    struct ccprof_outer *outer = walk->outer;

    while (walk->next > 0 && outer->mark[walk->next - 1].frame < walk->frame)
        walk->next--;
    if (walk->next == 0 || walk->odd)
        return false;
    const struct ccprof_outer_mark *mark = &outer->mark[walk->next - 1];
    if (mark->frame != walk->frame || mark->pc != walk->unwind->pc)
        return false;
    /* A stack that is not too deep to be kept unfolded is walked to its end.  */
    if (CCPROF_STACK_INNER + walk->steps + mark->at + 1 <= CCPROF_STACK_FRAMES)
        return false;
    bool same = ccprof_outer_memory_check(outer, walk->next - 1, &walk->unwind->readable);
    outer_limit_next(walk);
    return same;
}

enum outer_end { OUTER_MET, OUTER_BOTTOM, OUTER_LIMIT };

/* Walks until one of three events: the walk meets mark NEXT - 1, whose frame is not
   added; there is no caller; the walk has used its credit.  */
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
        if (walk->in_chunk == CCPROF_OUTER_CHUNK)
            outer_fold(walk);
        struct ccprof_fold_frame *to = &outer->chunk[walk->in_chunk++];
        to->address = unwind->exact ? unwind->pc : unwind->pc - 1;
        to->slot = unwind->exact ? 0 : unwind->slot;
        to->at = CCPROF_OUTER_START - walk->steps;
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

/* Puts the frames of the walk unfolded; none of them has been folded.  */
static void outer_put_chunk(const struct outer_walk *walk, struct ccprof_stack *stack)
{
    for (uint32_t i = 0; i < walk->in_chunk; i++)
        outer_put(stack, walk->outer->chunk[i].address);
}

/* Puts the frames of the fold that are not further in than the place AT, which is the
   next place outwards from the stack.  Where frames were left out, a special address
   stands between two frames, unless all of them are at the same call as the frame further
   out.  */
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

/* Ends the stack where nothing further out is known.  */
static void outer_put_end(struct ccprof_stack *stack, bool broken)
{
    if (broken)
        outer_put(stack, CCPROF_STACK_BROKEN);
}

static void outer_start(struct outer_walk *walk, struct ccprof_outer *outer,
                        struct ccprof_unwind *unwind)
{
    *walk = (struct outer_walk){
        .outer = outer, .unwind = unwind, .space = CCPROF_OUTER_SPACE};
    ccprof_fold_clear(&outer->walked[0]);
    walk->limit = ccprof_outer_memory_limit(outer);
    walk->next =
        ccprof_outer_memory_from(outer, unwind->registers[ccprof_cpu.stack_pointer]);
}

/* Returns the result of the walk, which has been folded.  */
static struct ccprof_outer_found outer_found(const struct outer_walk *walk)
{
    return (struct ccprof_outer_found){.fold = &walk->outer->walked[walk->walked],
                                       .marks = walk->marks,
                                       .steps = walk->steps};
}

void ccprof_outer_put(struct ccprof_outer *outer, struct ccprof_unwind *unwind,
                      struct ccprof_stack *stack)
{
    struct outer_walk walk;
    struct ccprof_outer_found found;
    enum outer_end end;

    outer_start(&walk, outer, unwind);
    end = outer_go(&walk);
    ccprof_outer_memory_pay(walk.steps);
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
    found = outer_found(&walk);
    if (end == OUTER_LIMIT) {
        ccprof_outer_memory_fell_short(outer, walk.limit);
        outer_put_fold(found.fold, CCPROF_OUTER_START, stack);
        outer_put(stack, CCPROF_STACK_CUT);
        return;
    }
    outer->need = 0;
    if (end == OUTER_BOTTOM) {
        outer_put_fold(found.fold, CCPROF_OUTER_START, stack);
        outer_put_end(stack, unwind->broken);
        if (walk.odd)
            ccprof_outer_memory_forget(outer);
        else
            ccprof_outer_memory_replace(outer, &found, unwind->broken);
        return;
    }
    ccprof_outer_memory_extend(outer, walk.next - 1, &found);
    outer_put_fold(&outer->fold, outer->fold.last.at, stack);
    outer_put_end(stack, outer->broken);
}
