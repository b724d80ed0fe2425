/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jumps inside a block that the compiler does not know: asm statements, and insns of GCC
   that are several instructions, like the inline thunks of -mindirect-branch. A thunk
   calls its own inside, and replaces the return address there. */

#include "mlprof/base/buf.h"
#include "mlprof/elf/events.h"

#include <stdlib.h>

#define OUTSIDE SIZE_MAX
#define CALLS   8         /* most calls inside a block that have not returned */
#define WORD    8         /* size of a return address on the stack */
#define STEPS   UINT8_MAX /* most executions of one instruction */

struct walk {
    const struct events_code *code;
    size_t count;
    struct events_pass *passes;
    /* The calls inside the block: the place of the return address, relative to the stack
       pointer at the start, and the instruction to which it leads. */
    struct {
        int64_t place;
        size_t back;
    } calls[CALLS];
    unsigned depth;
    int64_t stack; /* the stack pointer, relative to the start */
    bool perhaps;
    size_t join; /* where all ways meet while PERHAPS is true */
    size_t *others, other_count, other_capacity;
};

static void add_other(struct walk *walk, size_t number)
{
    BUF_NEXT(walk->others, walk->other_count, walk->other_capacity) = number;
}

/* Returns the number of the instruction at the target of INSN. The end of the block has
   the number walk->count. */
static size_t find_target(const struct walk *walk, const struct events_insn *insn)
{
    const struct events_insn *list = walk->code->list;
    const struct events_insn *last = &list[walk->count - 1];
    if (insn->target < list[0].address || !insn->target)
        return OUTSIDE;
    if (insn->target == last->address + last->size)
        return walk->count;
    size_t place;
    BUF_SEARCH(place, walk->count, i, list[i].address < insn->target);
    return place < walk->count && list[place].address == insn->target ? place : OUTSIDE;
}

/* Returns where the return address at the stack pointer leads, and removes it. */
static size_t take_call(struct walk *walk)
{
    for (unsigned i = walk->depth; i-- > 0;)
        if (walk->calls[i].place == walk->stack) {
            size_t back = walk->calls[i].back;
            walk->calls[i] = walk->calls[--walk->depth];
            return back;
        }
    return OUTSIDE;
}

/* Returns where execution continues after a return, or after a jump to a function: it
   may return to the call before. */
static size_t leave(struct walk *walk, bool returns)
{
    size_t back = take_call(walk);
    walk->stack += WORD;
    if (back != OUTSIDE || !returns)
        return back;
    back = take_call(walk);
    walk->stack += WORD;
    return back;
}

static size_t enter(struct walk *walk, size_t number, size_t target)
{
    if (target == OUTSIDE)
        return number + 1;
    if (walk->depth == CALLS)
        return OUTSIDE;
    walk->stack -= WORD;
    walk->calls[walk->depth].place = walk->stack;
    walk->calls[walk->depth++].back = number + 1;
    return target;
}

/* A jump back is a loop, of which one iteration counts. */
static size_t pass_condition(struct walk *walk, size_t number, size_t target)
{
    if (target <= number || target == number + 1)
        return number + 1;
    if (!walk->perhaps)
        walk->join = 0;
    walk->perhaps = true;
    if (target == OUTSIDE || target > walk->join)
        walk->join = target;
    if (target != OUTSIDE)
        add_other(walk, target);
    return number + 1;
}

static size_t jump(struct walk *walk, size_t number, size_t target)
{
    if (target == OUTSIDE)
        return leave(walk, false);
    if (target <= number && walk->passes[target].times)
        return OUTSIDE;
    if (target > walk->join)
        walk->join = target;
    return target;
}

/* If the stack pointer is not known any more, each call inside the block may return. */
static void move_stack(struct walk *walk, const struct events_insn *insn)
{
    walk->stack += insn->stack.moved;
    if (insn->stack.replaces)
        take_call(walk);
    if (insn->stack.unknown)
        while (walk->depth)
            add_other(walk, walk->calls[--walk->depth].back);
}

/* Returns the number of the next instruction. */
static size_t step(struct walk *walk, size_t number)
{
    const struct events_insn *insn = &walk->code->list[number];
    if (!insn->branch) {
        move_stack(walk, insn);
        return number + 1;
    }
    size_t target = find_target(walk, insn);
    return insn->call          ? enter(walk, number, target)
           : insn->returns     ? leave(walk, true)
           : insn->conditional ? pass_condition(walk, number, target)
                               : jump(walk, number, target);
}

/* Follows one way, until it leaves the block or, if NEW_ONLY, meets another way. */
static void walk_from(struct walk *walk, size_t number, bool new_only)
{
    unsigned most = new_only ? 1 : STEPS;
    while (number < walk->count && walk->passes[number].times < most) {
        if (number >= walk->join)
            walk->perhaps = false;
        walk->passes[number].times++;
        walk->passes[number].perhaps |= walk->perhaps;
        number = step(walk, number);
    }
}

static bool has_branch_inside(const struct events_code *code, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++)
        if (code->list[i].branch)
            return true;
    return false;
}

struct events_pass *events_walk(const struct events_code *code)
{
    size_t count = code->count - events_ends_far(code);
    struct events_pass *passes = buf_alloc((code->count + 1) * sizeof *passes);
    struct walk walk = {.code = code, .count = count, .passes = passes, .join = OUTSIDE};
    if (!has_branch_inside(code, count))
        for (size_t i = 0; i < count; i++)
            passes[i].times = 1;
    else
        walk_from(&walk, 0, false);
    for (size_t i = 0; i < walk.other_count; i++) {
        walk.depth = 0;
        walk.perhaps = true;
        walk.join = OUTSIDE;
        walk_from(&walk, walk.others[i], true);
    }
    free(walk.others);
    for (size_t i = count; i < code->count; i++)
        passes[i].times = 1;
    return passes;
}
