// SPDX-License-Identifier: GPL-3.0-or-later
// Finds by data flow what the field holds, forward, and what is wanted, backward.  The
// edges into a block bring what the block wants where that takes fewer stores.

#include "plugin/gcc/compat.h"
#include "plugin/field/callback.h"
#include "plugin/field/field-inside.h"

namespace
{
// A basic block.
struct block {
    bool passes;          // no insn wants or changes anything
    bool supplied;        // the edges into it bring what it wants
    int wanted;           // at its start, whichever way is taken from there
    int at_start, at_end; // what the field holds
};
} // namespace

static struct block *blocks; // by index
static int at_return;        // what a call of this function leaves

int field_held_after(const rtx_insn *insn, int held)
{
    if (field_is_self_call(insn))
        return callback_is_current() ? held : at_return;
    return field_is_kept(insn) ? held : FIELD_UNSURE;
}

static int held_at_end(basic_block bb, int held)
{
    rtx_insn *insn;

    FOR_BB_INSNS (bb, insn) {
        int wanted = field_wanted(insn);
        held = field_held_after(insn, wanted == FIELD_ANYTHING ? held : wanted);
    }
    return held;
}

static int meet(int a, int b)
{
    if (a == FIELD_ANYTHING || a == b)
        return b;
    return b == FIELD_ANYTHING ? a : FIELD_UNSURE;
}

// A call may have ended by another way than a return.
static int held_on(edge e)
{
    return e->flags & EDGE_COMPLEX && !(e->flags & EDGE_SIBCALL)
               ? FIELD_UNSURE
               : blocks[e->src->index].at_end;
}

static int held_before(basic_block bb)
{
    int held = FIELD_ANYTHING;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds)
        held = meet(held, held_on(e));
    return held;
}

// Whether anything changed.
static bool hold_once(const int *order, int count)
{
    bool changed = false;

    for (int i = 0; i < count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
        struct block *block = &blocks[bb->index];
        block->at_start = block->supplied ? block->wanted : held_before(bb);
        int at_end = held_at_end(bb, block->at_start);
        changed |= at_end != block->at_end;
        block->at_end = at_end;
    }
    int now = held_before(EXIT_BLOCK_PTR_FOR_FN(cfun));
    changed |= now != at_return;
    at_return = now;
    return changed;
}

// Forward: what the field holds at the ends of each block.
static void hold(const int *order, int count)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun)
        blocks[bb->index].at_end = FIELD_ANYTHING;
    blocks[ENTRY_BLOCK].at_end = FIELD_CALLERS;
    at_return = FIELD_ANYTHING;
    while (hold_once(order, count))
        ;
}

static int wanted_first(basic_block bb, bool *passes)
{
    rtx_insn *insn;

    FOR_BB_INSNS (bb, insn) {
        if (field_wanted(insn) != FIELD_ANYTHING)
            return field_wanted(insn);
        if (CALL_P(insn))
            return FIELD_ANYTHING;
    }
    *passes = true;
    return FIELD_ANYTHING;
}

static int wanted_behind(basic_block bb)
{
    int wanted = FIELD_ANYTHING;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs) {
        int there = blocks[e->dest->index].wanted;
        if (e->flags & EDGE_COMPLEX || there < 0)
            return FIELD_ANYTHING;
        wanted = meet(wanted, there);
    }
    return wanted == FIELD_UNSURE ? FIELD_ANYTHING : wanted;
}

// Backward: what is wanted at the start of each block before anything else is.
static void want(const int *order, int count)
{
    bool changed = true;

    blocks[EXIT_BLOCK].wanted = FIELD_ANYTHING;
    for (int i = 0; i < count; i++) {
        struct block *block = &blocks[order[i]];
        block->wanted = wanted_first(BASIC_BLOCK_FOR_FN(cfun, order[i]), &block->passes);
    }
    while (changed) {
        changed = false;
        for (int i = count; i-- > 0;) {
            struct block *block = &blocks[order[i]];
            if (!block->passes || block->wanted != FIELD_ANYTHING)
                continue;
            block->wanted = wanted_behind(BASIC_BLOCK_FOR_FN(cfun, order[i]));
            changed |= block->wanted != FIELD_ANYTHING;
        }
    }
}

static bool can_store_on(edge e)
{
    return !(e->flags & (EDGE_COMPLEX | EDGE_CROSSING)) &&
           (e->flags & EDGE_FALLTHRU || single_succ_p(e->src));
}

// Whether stores on the edges into the block are fewer than in the block: it is the start
// of a loop, say.
static bool is_worth_supplying(basic_block bb)
{
    const struct block *block = &blocks[bb->index];
    profile_count stores = profile_count::zero();
    edge e;
    edge_iterator ei;

    if (block->supplied || block->wanted < 0 || block->at_start == block->wanted ||
        !bb->count.initialized_p())
        return false;
    FOR_EACH_EDGE (e, ei, bb->preds) {
        if (held_on(e) == block->wanted)
            continue;
        if (!can_store_on(e))
            return false;
        stores += e->count();
    }
    return stores < bb->count.apply_scale(9, 10);
}

static bool supply_some(const int *order, int count)
{
    bool any = false;

    for (int i = 0; i < count; i++)
        if (is_worth_supplying(BASIC_BLOCK_FOR_FN(cfun, order[i])))
            any = blocks[order[i]].supplied = true;
    return any;
}

void field_hold_make(void)
{
    int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
    int count = pre_and_rev_post_order_compute_fn(cfun, NULL, order, false);

    blocks = XCNEWVEC(struct block, last_basic_block_for_fn(cfun));
    want(order, count);
    do
        hold(order, count);
    while (supply_some(order, count));
    free(order);
}

void field_hold_free(void)
{
    free(blocks);
}

int field_held_at_start(basic_block bb)
{
    return blocks[bb->index].at_start;
}

int field_wanted_on(edge e)
{
    const struct block *block = &blocks[e->dest->index];

    return block->supplied && held_on(e) != block->wanted ? block->wanted
                                                          : FIELD_ANYTHING;
}
