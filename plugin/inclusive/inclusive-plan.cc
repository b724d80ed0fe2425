// SPDX-License-Identifier: GPL-3.0-or-later
// The plan is made by a data flow analysis. Any choice for the starts of the blocks is
// correct, because code on the edges makes up for differences. Sources are entered as
// late as possible, but before a loop that certainly needs them. They are left as late as
// allowed.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/callgraph.h"
#include "plugin/gcc/scopes.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive.h"

// The functions of the unit from which control may reach an addition to inclusive counts.
// Calls of other functions need nothing entered. NULL if no function was analysed.
static reach *additions;

void inclusive_note_reach(bool (*adds)(const gcall *))
{
    unsigned uid = callers_uid(current_function_decl);
    bool may_add = reach_is_replaceable(current_function_decl);
    basic_block bb;

    if (!additions)
        additions = new reach();
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
            if (!call)
                continue;
            tree callee = gimple_call_fndecl(call);
            if (adds(call) || (!callee && !leaf_is_call(call)))
                may_add = true;
            else if (!leaf_is_call(call))
                additions->note_call(uid, callers_uid(callee));
        }
    additions->note(uid, may_add);
}

static bool is_tail_call(const gcall *call)
{
    return gimple_call_tail_p(call) || gimple_call_must_tail_p(call);
}

// Returns true if the call may lead to an addition and is not a tail call. In a trace,
// calls that lead to no addition are included.
static bool may_add(const gcall *call)
{
    if (leaf_is_call(call) || is_tail_call(call))
        return false;
    tree callee = gimple_call_fndecl(call);
    return options.trace || !callee || !additions || additions->may(callers_uid(callee));
}

// Returns true if the call may return more than once. Code after such a call may find
// entries that a longjmp has left on the stack.
static bool returns_twice(const gcall *call)
{
    return gimple_call_flags(call) & ECF_RETURNS_TWICE;
}

// At calls of setjmp and at tail calls nothing is entered. In a trace a call of setjmp is
// treated like every other call. A call without a scope is unrestricted in a trace if
// there are no markers, because its local stack is unknown.
static void find_in_call(struct inclusive_block *block, gcall *call, tree scope)
{
    bool is_twice = returns_twice(call), is_tail = !is_twice && is_tail_call(call);
    bool is_traced = options.trace && !is_tail;
    struct inclusive_list *list = NULL;

    if (!is_twice && !is_tail && !may_add(call))
        return;
    if (is_traced && !markers_are_on() &&
        !scopes_of_block(LOCATION_BLOCK(gimple_location(call))))
        list = &inclusive_list_any;
    else if (is_traced || (!is_twice && !is_tail))
        list = inclusive_list_of(scope);
    block->points.safe_push(
        {is_traced ? INCLUSIVE_NO_MORE : INCLUSIVE_EXACT, call, list, NULL});
    if (!stmt_ends_bb_p(call) && (is_traced || is_twice || list))
        block->points.safe_push({INCLUSIVE_BEHIND, call, list, NULL});
}

// Returns the scope of the counted function: SCOPE itself or a scope around it, or
// NULL_TREE. The statement that adds to the counter may have a scope further inside.
static tree scope_of_counted(tree scope, tree counted)
{
    while (scope && scopes_function(scope) != DECL_ORIGIN(counted))
        scope = scopes_parent(scope);
    return scope;
}

// Returns the local stack at a counter for calls of the source COUNTED in SCOPE.
static struct inclusive_list *list_of_counter(tree scope, tree counted)
{
    tree found = scope_of_counted(scope, counted);
    struct inclusive_list *list = inclusive_list_of(found ? found : scope);

    return options.mark == OPTIONS_MARK_SOURCE
               ? inclusive_list_within(list, DECL_ORIGIN(counted))
               : list;
}

// Returns the local stack around the source COUNTED at this counter.
static struct inclusive_list *list_around_counter(tree scope, tree counted)
{
    tree found = scope_of_counted(scope, counted);

    if (!found)
        return inclusive_list_of(scope);
    return scopes_parent(found) ? inclusive_list_of(scopes_parent(found)) : NULL;
}

static void find_in_statement(struct inclusive_block *block, gimple *stmt, tree scope)
{
    tree counter = inclusive_stored_counter(stmt);

    if (counter && options.trace)
        block->points.safe_push({INCLUSIVE_CALLED, stmt,
                                 list_around_counter(scope, DECL_CONTEXT(counter)),
                                 DECL_ORIGIN(DECL_CONTEXT(counter))});
    else if (counter)
        block->points.safe_push(
            {INCLUSIVE_ADD, stmt, list_of_counter(scope, DECL_CONTEXT(counter)), NULL});
    else if (inclusive_is_amount(stmt))
        block->points.safe_push({INCLUSIVE_ADD, stmt, inclusive_list_of(scope), NULL});
    else if (gcall *call = dyn_cast<gcall *>(stmt))
        find_in_call(block, call, scope);
    else if (gimple_code(stmt) == GIMPLE_RETURN)
        block->points.safe_push({INCLUSIVE_EXACT, stmt, NULL, NULL});
}

// Finds the ways by which control may reach the block without an edge on which code can
// be inserted.
static void find_arrival(struct inclusive_block *block, basic_block bb)
{
    gimple *first = first_stmt(bb);
    glabel *label = first ? dyn_cast<glabel *>(first) : NULL;
    tree decl = label ? gimple_label_label(label) : NULL_TREE;
    edge e;
    edge_iterator ei;

    block->lands = decl && EH_LANDING_PAD_NR(decl);
    block->cuts = block->lands || (decl && DECL_NONLOCAL(decl));
    FOR_EACH_EDGE (e, ei, bb->preds)
        if (e->flags & EDGE_ABNORMAL && !(e->flags & EDGE_EH)) {
            gimple *last = compat_last_stmt(e->src);
            if (last && gimple_code(last) == GIMPLE_GOTO)
                block->is_target = true;
            else
                block->receives = !options.trace;
        }
}

// Returns the call that ends the block, or NULL if the block does not end with a call.
// *BEHIND is the edge that is taken when the call returns.
static gcall *call_at_end(basic_block bb, edge *behind)
{
    gimple *last = compat_last_stmt(bb);
    gcall *call = last ? dyn_cast<gcall *>(last) : NULL;

    *behind = find_fallthru_edge(bb->succs);
    return *behind && call && stmt_ends_bb_p(call) ? call : NULL;
}

// Makes blocks for code after calls that end a block.
static void split_behind_calls(void)
{
    auto_vec<edge> edges;
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        edge behind;
        gcall *call = call_at_end(bb, &behind);
        if (call && (may_add(call) || returns_twice(call)))
            edges.safe_push(behind);
    }
    for (edge e : edges)
        split_edge(e);
}

struct inclusive_block *inclusive_find_points(void)
{
    split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));
    split_behind_calls();
    struct dataflow_state *states = dataflow_compute();
    struct inclusive_block *blocks = new inclusive_block[last_basic_block_for_fn(cfun)]();
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        tree state = states[bb->index].at_start;
        find_arrival(&blocks[bb->index], bb);
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gimple *stmt = gsi_stmt(gsi);
            state = dataflow_after(stmt, state);
            tree scope = scopes_of_block(LOCATION_BLOCK(gimple_location(stmt)));
            if (!scope)
                scope = state ? state : scopes_root();
            find_in_statement(&blocks[bb->index], stmt, scope);
        }
    }
    // If a call ends its block, the point after the call is the first point of the next
    // block.
    FOR_EACH_BB_FN (bb, cfun) {
        edge behind;
        gcall *call = call_at_end(bb, &behind);
        if (!call || blocks[bb->index].points.is_empty())
            continue;
        struct inclusive_point point = blocks[bb->index].points.last();
        if ((point.kind == INCLUSIVE_EXACT || point.kind == INCLUSIVE_NO_MORE) &&
            point.statement == call && (point.list || returns_twice(call)))
            blocks[behind->dest->index].points.safe_insert(
                0, {INCLUSIVE_BEHIND, call, point.list, NULL});
    }
    free(states);
    return blocks;
}

// After this number of rounds the start of a block can only become shorter, so that the
// loop ends.
#define ROUNDS 8

#define UNKNOWN (&inclusive_list_any)

namespace
{
struct plan {
    struct inclusive_block *blocks;
    struct inclusive_list **needed; // list that all paths from a block need
    struct inclusive_list *jumped;  // common part of the lists at all jumps to addresses
    struct inclusive_list *entered; // at the start of the function
    int *order, count;              // reverse post-order
};
} // namespace

static struct inclusive_list *needed_at(const struct plan *plan, basic_block bb)
{
    const struct inclusive_block *block = &plan->blocks[bb->index];
    struct inclusive_list *needed = UNKNOWN, *behind = UNKNOWN;
    edge e;
    edge_iterator ei;

    if (block->receives)
        return NULL;
    for (const struct inclusive_point &point : block->points) {
        needed = inclusive_list_common(needed, point.list);
        if (point.kind != INCLUSIVE_ADD)
            return needed;
    }
    FOR_EACH_EDGE (e, ei, bb->succs)
        if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun))
            behind = NULL;
        else if (!(e->flags & EDGE_EH))
            behind = inclusive_list_common(behind, plan->needed[e->dest->index]);
    return inclusive_list_common(needed, behind);
}

static void find_needed_lists(struct plan *plan)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (int i = plan->count; i-- > 0;) {
            basic_block bb = BASIC_BLOCK_FOR_FN(cfun, plan->order[i]);
            struct inclusive_list *needed = needed_at(plan, bb);
            changed |= needed != plan->needed[bb->index];
            plan->needed[bb->index] = needed;
        }
    }
    // The blocks that are still UNKNOWN never lead to a return or to a call.
    for (int i = 0; i < plan->count; i++)
        if (plan->needed[plan->order[i]] == UNKNOWN)
            plan->needed[plan->order[i]] = NULL;
}

static struct inclusive_list *end_of(const struct plan *plan, basic_block bb)
{
    return bb == ENTRY_BLOCK_PTR_FOR_FN(cfun) ? plan->entered
                                              : plan->blocks[bb->index].end;
}

// Returns the list at the start of a block: the common part of the lists at the ends of
// its predecessors. If one predecessor has a longer list, and all paths from the block
// need it, returns the longer list. After an exception, the same sources are entered as
// at the throw.
static struct inclusive_list *start_of(const struct plan *plan, basic_block bb)
{
    const struct inclusive_block *block = &plan->blocks[bb->index];
    struct inclusive_list *all = UNKNOWN, *longest = NULL;
    edge e;
    edge_iterator ei;

    if (block->receives)
        return NULL;
    if (block->is_target)
        return plan->jumped;
    FOR_EACH_EDGE (e, ei, bb->preds) {
        struct inclusive_list *end = end_of(plan, e->src);
        if (end == UNKNOWN)
            continue;
        all = inclusive_list_common(all, end);
        struct inclusive_list *useful =
            inclusive_list_common(plan->needed[bb->index], end);
        if (inclusive_list_depth(useful) > inclusive_list_depth(longest))
            longest = useful;
    }
    if (all == UNKNOWN || block->lands || options.trace)
        return all;
    return inclusive_list_depth(longest) > inclusive_list_depth(all) ? longest : all;
}

// Returns the list at the end of a block that starts with LIST.
static struct inclusive_list *end_from(const struct inclusive_block *block,
                                       struct inclusive_list *list)
{
    for (const struct inclusive_point &point : block->points) {
        list = point.kind == INCLUSIVE_EXACT ? point.list
                                             : inclusive_list_common(list, point.list);
        if (point.kind == INCLUSIVE_CALLED)
            list = inclusive_list_within(list, point.function);
    }
    return list;
}

// Does one round of the data flow analysis. If ONLY_LESS is set, the lists at the starts
// of blocks can only become shorter. Returns true if a list has changed.
static bool find_states(struct plan *plan, bool only_less)
{
    struct inclusive_list *jumped = UNKNOWN, *before = plan->jumped;
    bool changed = false;

    for (int i = 0; i < plan->count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, plan->order[i]);
        struct inclusive_block *block = &plan->blocks[bb->index];
        struct inclusive_list *start = start_of(plan, bb);
        if (only_less)
            start = inclusive_list_common(start, block->start);
        struct inclusive_list *end = end_from(block, start);
        changed |= start != block->start || end != block->end;
        block->start = start;
        block->end = end;
    }
    for (int i = 0; i < plan->count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, plan->order[i]);
        gimple *last = compat_last_stmt(bb);
        if (last && computed_goto_p(last))
            jumped = inclusive_list_common(jumped, end_of(plan, bb));
    }
    plan->jumped = only_less ? inclusive_list_common(before, jumped) : jumped;
    return plan->jumped != before || changed;
}

void inclusive_plan(struct inclusive_block *blocks, struct inclusive_list *entered)
{
    int size = last_basic_block_for_fn(cfun);
    struct plan plan = {blocks,
                        XNEWVEC(struct inclusive_list *, size),
                        UNKNOWN,
                        entered,
                        XNEWVEC(int, size),
                        0};

    plan.count = pre_and_rev_post_order_compute_fn(cfun, NULL, plan.order, false);
    for (int i = 0; i < size; i++)
        plan.needed[i] = blocks[i].start = blocks[i].end = UNKNOWN;
    find_needed_lists(&plan);
    for (int round = 0; find_states(&plan, round >= ROUNDS); round++)
        ;
    // The remaining blocks are unreachable.
    for (int i = 0; i < size; i++) {
        if (blocks[i].start == UNKNOWN)
            blocks[i].start = NULL;
        if (blocks[i].end == UNKNOWN)
            blocks[i].end = end_from(&blocks[i], NULL);
    }
    free(plan.needed);
    free(plan.order);
}
