// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the content of the field that each insn needs: the site of its local stack, or
// nothing. An insn needs nothing if it takes no time, or if it belongs to a run of insns
// too short to be worth a store. Then data flow analysis finds which site the field holds
// (forward) and which site is needed next (backward). The edges into a block supply the
// site that the block needs if that takes fewer stores. GCC's mode-switching.cc solves
// the same problem.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/scopes.h"
#include "plugin/gcc/sources.h"
#include "plugin/label/sites.h"
#include "plugin/field/field.h"

// Returns true if another function of the same name may be called instead.
static bool is_replaceable(const_tree function)
{
    return !decl_binds_to_current_def_p(function);
}

// Returns true for allocation functions of a library: the program may replace them by its
// own.
static bool is_allocation(const_tree callee)
{
    return DECL_IS_MALLOC(callee) || fndecl_built_in_p(callee, BUILT_IN_FREE) ||
           fndecl_built_in_p(callee, BUILT_IN_REALLOC) ||
           DECL_IS_OPERATOR_NEW_P(callee) || DECL_IS_OPERATOR_DELETE_P(callee);
}

// Returns true if the callee certainly executes no code that stores into the field.
static bool is_harmless(const_tree callee)
{
    const int flags = flags_from_decl_or_type(callee);
    cgraph_node *node = cgraph_node::get(callee);

    return flags & ECF_LEAF && !(flags & ECF_RETURNS_TWICE) && !is_allocation(callee) &&
           !(node && node->definition) &&
           (fndecl_built_in_p(callee) || DECL_IN_SYSTEM_HEADER(callee));
}

// Returns true if the callee stores its own site before it does anything else.
static bool stores_first(tree callee)
{
    cgraph_node *node = cgraph_node::get(callee);

    return node && node->definition && !is_replaceable(callee) &&
           !filter_forbids_code(callee) && sources_of(callee);
}

// Returns true if practically no sample has the address of the insn: the processor only
// renames a register, or executes the insn in parallel with others.
static bool takes_no_time(const rtx_insn *insn)
{
    const_rtx set = single_set(insn);

    if (JUMP_P(insn))
        return simplejump_p(insn);
    if (!set || !REG_P(SET_DEST(set)))
        return false;
    const_rtx from = SET_SRC(set);
    return REG_P(from) || CONST_INT_P(from) ||
           from == CONST0_RTX(GET_MODE(SET_DEST(set)));
}

// Returns true if the insn takes at most one cycle and waits only for registers: it adds
// or compares integers, accesses the stack, or branches.
static bool is_light(const rtx_insn *insn)
{
    const_rtx set = single_set(insn);
    subrtx_iterator::array_type array;

    if (JUMP_P(insn))
        return any_condjump_p(insn);
    if (!NONJUMP_INSN_P(insn) || !set)
        return false;
    FOR_EACH_SUBRTX (iter, array, PATTERN(insn), NONCONST) {
        const_rtx x = *iter;
        if (MEM_P(x) && !may_be_sp_based_p(const_cast<rtx>(x)))
            return false;
        if (x != set && GET_MODE(x) != VOIDmode && !SCALAR_INT_MODE_P(GET_MODE(x)) &&
            GET_MODE_CLASS(GET_MODE(x)) != MODE_CC)
            return false;
        enum rtx_code code = GET_CODE(x);
        if (code == MULT || code == DIV || code == UDIV || code == MOD || code == UMOD ||
            code == ASM_OPERANDS || code == UNSPEC_VOLATILE)
            return false;
    }
    return true;
}

// Returns true if no store is made for the insn. An epilogue needs no store, because the
// caller stores its own site soon.
static bool needs_nothing(const rtx_insn *insn)
{
    if (!walk_makes_code(insn) || epilogue_contains(insn) || returnjump_p(insn) ||
        takes_no_time(insn))
        return true;
    if (!CALL_P(insn))
        return false;
    // A callback has restored the field already.
    if (SIBLING_CALL_P(insn) && callback_is_current())
        return true;
    tree callee = get_call_fndecl(insn);
    return callee && stores_first(callee);
}

// Returns true if the insn calls the current function itself. In this case, the field
// afterwards has the content that this function leaves in it.
static bool is_self_call(const rtx_insn *insn)
{
    const_tree callee = CALL_P(insn) ? get_call_fndecl(insn) : NULL_TREE;

    return callee && callee == current_function_decl && !is_replaceable(callee);
}

// Returns true if the insn does not change the field. Not for calls of the current
// function itself.
static bool keeps_field(const rtx_insn *insn)
{
    if (!CALL_P(insn))
        return true;
    const_tree callee = get_call_fndecl(insn);
    return callee && is_harmless(callee);
}

static bool is_first(basic_block bb)
{
    return single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun)) == bb;
}

// Returns the first insn of the block before which a store may be inserted.
static const rtx_insn *first_insn(basic_block bb)
{
    rtx_insn *insn;

    if (is_first(bb) && callback_is_current())
        FOR_BB_INSNS (bb, insn)
            if (callback_saves(insn))
                return NEXT_INSN(insn);
    return BB_HEAD(bb);
}

namespace
{
// An insn that needs a site.
struct need {
    const rtx_insn *insn;
    int needed;
    bool light;
};
} // namespace

static void find_needs(struct field_flow *flow, basic_block bb, auto_vec<need> *needs)
{
    struct walk walk = {};
    // The first insn of a function, and the first insn after a call, are never treated as
    // light.
    bool has_ended = false, may_wait = is_first(bb);
    bool has_started = false;
    int present = FIELD_ANYTHING;
    const rtx_insn *first = first_insn(bb);
    rtx_insn *insn;

    sites_start_block(bb->index);
    FOR_BB_INSNS (bb, insn) {
        has_started |= insn == first;
        has_ended |= callback_restores(insn);
        flow->needed[INSN_UID(insn)] = FIELD_ANYTHING;
        if (!walk_makes_code(insn))
            continue;
        location_t location = walk_location(&walk, insn);
        if (location)
            present = (int)sites_find(scopes_at(location), UNKNOWN_LOCATION);
        if (!has_started || has_ended || present == FIELD_ANYTHING)
            continue;
        if (!needs_nothing(insn)) {
            needs->safe_push({insn, present, !may_wait && is_light(insn)});
            may_wait = false;
        }
        may_wait |= CALL_P(insn);
    }
}

// The maximum length of a short run. A run of at most this number of light insns is not
// worth a store.
#define SHORT_RUN 2

// Returns the end of the run that starts at I: adjacent needs of the same site.
static unsigned run_end(const auto_vec<need> &needs, unsigned i)
{
    unsigned end = i;

    while (end < needs.length() && needs[end].needed == needs[i].needed)
        end++;
    return end;
}

static bool is_short(const auto_vec<need> &needs, unsigned i, unsigned end)
{
    if (end - i > SHORT_RUN)
        return false;
    for (; i < end; i++)
        if (!needs[i].light)
            return false;
    return true;
}

// Returns the site that most of these insns need.
static int most_needed(const auto_vec<need> &needs, unsigned from, unsigned end)
{
    int most = FIELD_ANYTHING;
    unsigned most_count = 0;

    for (unsigned i = from; i < end; i++) {
        unsigned count = 0;
        for (unsigned j = i; j < end; j++)
            count += needs[j].needed == needs[i].needed;
        if (count > most_count) {
            most = needs[i].needed;
            most_count = count;
        }
    }
    return most;
}

// The scheduler mixes insns of different copies. Adjacent short runs get the site that
// most of their insns need, or none if they are short together.
static void choose_sites(struct field_flow *flow, const auto_vec<need> &needs)
{
    unsigned i = 0;

    while (i < needs.length()) {
        unsigned end = run_end(needs, i), next = end;
        int site = needs[i].needed;
        if (is_short(needs, i, end)) {
            while (next < needs.length() && is_short(needs, next, run_end(needs, next)))
                next = run_end(needs, next);
            site = next - i > SHORT_RUN ? most_needed(needs, i, next) : FIELD_ANYTHING;
        }
        for (; i < next; i++)
            flow->needed[INSN_UID(needs[i].insn)] = site;
    }
}

static void find_needed_sites(struct field_flow *flow)
{
    basic_block bb;

    flow->needed = XNEWVEC(int, get_max_uid());
    FOR_EACH_BB_FN (bb, cfun) {
        auto_vec<need> needs;
        find_needs(flow, bb, &needs);
        choose_sites(flow, needs);
    }
}

int field_held_after(const struct field_flow *flow, const rtx_insn *insn, int held)
{
    if (is_self_call(insn))
        return callback_is_current() ? held : flow->at_return;
    return keeps_field(insn) ? held : FIELD_UNSURE;
}

static int held_at_end(const struct field_flow *flow, basic_block bb, int held)
{
    rtx_insn *insn;

    FOR_BB_INSNS (bb, insn) {
        int needed = field_needed(flow, insn);
        held = field_held_after(flow, insn, needed == FIELD_ANYTHING ? held : needed);
    }
    return held;
}

static int meet_contents(int a, int b)
{
    if (a == FIELD_ANYTHING || a == b)
        return b;
    return b == FIELD_ANYTHING ? a : FIELD_UNSURE;
}

// Returns the content of the field on the edge. On a complex edge the content is unknown,
// because a call may have ended without a return.
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
        held = meet_contents(held, held_on(flow, e));
    return held;
}

// Returns true if the state of any block has changed.
static bool propagate_held_once(struct field_flow *flow, const int *order, int count)
{
    bool changed = false;

    for (int i = 0; i < count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
        struct field_block *block = &flow->blocks[bb->index];
        block->at_start = block->supplied ? block->needed : held_before(flow, bb);
        int at_end = held_at_end(flow, bb, block->at_start);
        changed |= at_end != block->at_end;
        block->at_end = at_end;
    }
    int now = held_before(flow, EXIT_BLOCK_PTR_FOR_FN(cfun));
    changed |= now != flow->at_return;
    flow->at_return = now;
    return changed;
}

// Forward: finds the content of the field at the start and at the end of each block.
static void propagate_held(struct field_flow *flow, const int *order, int count)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun)
        flow->blocks[bb->index].at_end = FIELD_ANYTHING;
    flow->blocks[ENTRY_BLOCK].at_end = FIELD_CALLERS;
    flow->at_return = FIELD_ANYTHING;
    while (propagate_held_once(flow, order, count))
        ;
}

static int needed_first(const struct field_flow *flow, basic_block bb, bool *passes)
{
    rtx_insn *insn;

    FOR_BB_INSNS (bb, insn) {
        if (field_needed(flow, insn) != FIELD_ANYTHING)
            return field_needed(flow, insn);
        if (CALL_P(insn))
            return FIELD_ANYTHING;
    }
    *passes = true;
    return FIELD_ANYTHING;
}

static int needed_after(const struct field_flow *flow, basic_block bb)
{
    int needed = FIELD_ANYTHING;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs) {
        int there = flow->blocks[e->dest->index].needed;
        if (e->flags & EDGE_COMPLEX || there < 0)
            return FIELD_ANYTHING;
        needed = meet_contents(needed, there);
    }
    return needed == FIELD_UNSURE ? FIELD_ANYTHING : needed;
}

// Backward: for each block, finds the site that is needed first from the start of the
// block on.
static void propagate_needs(struct field_flow *flow, const int *order, int count)
{
    bool changed = true;

    flow->blocks[EXIT_BLOCK].needed = FIELD_ANYTHING;
    for (int i = 0; i < count; i++) {
        struct field_block *block = &flow->blocks[order[i]];
        block->needed =
            needed_first(flow, BASIC_BLOCK_FOR_FN(cfun, order[i]), &block->passes);
    }
    while (changed) {
        changed = false;
        for (int i = count; i-- > 0;) {
            struct field_block *block = &flow->blocks[order[i]];
            if (!block->passes || block->needed != FIELD_ANYTHING)
                continue;
            block->needed = needed_after(flow, BASIC_BLOCK_FOR_FN(cfun, order[i]));
            changed |= block->needed != FIELD_ANYTHING;
        }
    }
}

static bool can_store_on(edge e)
{
    return !(e->flags & (EDGE_COMPLEX | EDGE_CROSSING)) &&
           (e->flags & EDGE_FALLTHRU || single_succ_p(e->src));
}

// Returns true if stores on the edges into the block are executed less often than a store
// in the block would be. This is typical of the head of a loop.
static bool is_worth_supplying(const struct field_flow *flow, basic_block bb)
{
    const struct field_block *block = &flow->blocks[bb->index];
    profile_count stores = profile_count::zero();
    edge e;
    edge_iterator ei;

    if (block->supplied || block->needed < 0 || block->at_start == block->needed ||
        !bb->count.initialized_p())
        return false;
    FOR_EACH_EDGE (e, ei, bb->preds) {
        if (held_on(flow, e) == block->needed)
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

static void find_held(struct field_flow *flow)
{
    int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
    int count = pre_and_rev_post_order_compute_fn(cfun, NULL, order, false);

    flow->blocks = XCNEWVEC(struct field_block, last_basic_block_for_fn(cfun));
    propagate_needs(flow, order, count);
    do
        propagate_held(flow, order, count);
    while (supply_some(flow, order, count));
    free(order);
}

void field_flow_find(struct field_flow *flow)
{
    find_needed_sites(flow);
    find_held(flow);
}

int field_needed_on(const struct field_flow *flow, edge e)
{
    const struct field_block *block = &flow->blocks[e->dest->index];

    return block->supplied && held_on(flow, e) != block->needed ? block->needed
                                                                : FIELD_ANYTHING;
}
