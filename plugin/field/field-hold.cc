// SPDX-License-Identifier: GPL-3.0-or-later
// Finds by data flow what the field holds, forward, and what is wanted, backward.  The
// edges into a block bring what the block wants where that takes fewer stores.

#include "plugin/gcc/compat.h"
#include "plugin/field/callback.h"
#include "plugin/field/field-inside.h"

int field_held_after(const struct field_flow *flow, const rtx_insn *insn, int held)
{
    if (field_is_self_call(insn))
        return callback_is_current() ? held : flow->at_return;
    return field_is_kept(insn) ? held : FIELD_UNSURE;
}

static int held_at_end(const struct field_flow *flow, basic_block bb, int held)
{
    rtx_insn *insn;

    FOR_BB_INSNS (bb, insn) {
        int wanted = field_wanted(flow, insn);
        held = field_held_after(flow, insn, wanted == FIELD_ANYTHING ? held : wanted);
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
static int held_on(const struct field_flow *flow, edge e)
{
    return e->flags & EDGE_COMPLEX && !(e->flags & EDGE_SIBCALL)
               ? FIELD_UNSURE
               : flow->blocks[e->src->index].at_end;
}

static int held_before(const struct field_flow *flow, basic_block bb)
{
    int held = FIELD_ANYTHING;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds)
        held = meet(held, held_on(flow, e));
    return held;
}

// Whether anything changed.
static bool hold_once(struct field_flow *flow, const int *order, int count)
{
    bool changed = false;

    for (int i = 0; i < count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
        struct field_block *block = &flow->blocks[bb->index];
        block->at_start = block->supplied ? block->wanted : held_before(flow, bb);
        int at_end = held_at_end(flow, bb, block->at_start);
        changed |= at_end != block->at_end;
        block->at_end = at_end;
    }
    int now = held_before(flow, EXIT_BLOCK_PTR_FOR_FN(cfun));
    changed |= now != flow->at_return;
    flow->at_return = now;
    return changed;
}

// Forward: what the field holds at the ends of each block.
static void hold(struct field_flow *flow, const int *order, int count)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun)
        flow->blocks[bb->index].at_end = FIELD_ANYTHING;
    flow->blocks[ENTRY_BLOCK].at_end = FIELD_CALLERS;
    flow->at_return = FIELD_ANYTHING;
    while (hold_once(flow, order, count))
        ;
}

static int wanted_first(const struct field_flow *flow, basic_block bb, bool *passes)
{
    rtx_insn *insn;

    FOR_BB_INSNS (bb, insn) {
        if (field_wanted(flow, insn) != FIELD_ANYTHING)
            return field_wanted(flow, insn);
        if (CALL_P(insn))
            return FIELD_ANYTHING;
    }
    *passes = true;
    return FIELD_ANYTHING;
}

static int wanted_behind(const struct field_flow *flow, basic_block bb)
{
    int wanted = FIELD_ANYTHING;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs) {
        int there = flow->blocks[e->dest->index].wanted;
        if (e->flags & EDGE_COMPLEX || there < 0)
            return FIELD_ANYTHING;
        wanted = meet(wanted, there);
    }
    return wanted == FIELD_UNSURE ? FIELD_ANYTHING : wanted;
}

// Backward: what is wanted at the start of each block before anything else is.
static void want(struct field_flow *flow, const int *order, int count)
{
    bool changed = true;

    flow->blocks[EXIT_BLOCK].wanted = FIELD_ANYTHING;
    for (int i = 0; i < count; i++) {
        struct field_block *block = &flow->blocks[order[i]];
        block->wanted =
            wanted_first(flow, BASIC_BLOCK_FOR_FN(cfun, order[i]), &block->passes);
    }
    while (changed) {
        changed = false;
        for (int i = count; i-- > 0;) {
            struct field_block *block = &flow->blocks[order[i]];
            if (!block->passes || block->wanted != FIELD_ANYTHING)
                continue;
            block->wanted = wanted_behind(flow, BASIC_BLOCK_FOR_FN(cfun, order[i]));
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
static bool is_worth_supplying(const struct field_flow *flow, basic_block bb)
{
    const struct field_block *block = &flow->blocks[bb->index];
    profile_count stores = profile_count::zero();
    edge e;
    edge_iterator ei;

    if (block->supplied || block->wanted < 0 || block->at_start == block->wanted ||
        !bb->count.initialized_p())
        return false;
    FOR_EACH_EDGE (e, ei, bb->preds) {
        if (held_on(flow, e) == block->wanted)
            continue;
        if (!can_store_on(e))
            return false;
        stores += e->count();
    }
    return stores < bb->count.apply_scale(9, 10);
}

static bool supply_some(struct field_flow *flow, const int *order, int count)
{
    bool any = false;

    for (int i = 0; i < count; i++)
        if (is_worth_supplying(flow, BASIC_BLOCK_FOR_FN(cfun, order[i])))
            any = flow->blocks[order[i]].supplied = true;
    return any;
}

void field_hold_find(struct field_flow *flow)
{
    int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
    int count = pre_and_rev_post_order_compute_fn(cfun, NULL, order, false);

    flow->blocks = XCNEWVEC(struct field_block, last_basic_block_for_fn(cfun));
    want(flow, order, count);
    do
        hold(flow, order, count);
    while (supply_some(flow, order, count));
    free(order);
}

int field_wanted_on(const struct field_flow *flow, edge e)
{
    const struct field_block *block = &flow->blocks[e->dest->index];

    return block->supplied && held_on(flow, e) != block->wanted ? block->wanted
                                                                : FIELD_ANYTHING;
}
