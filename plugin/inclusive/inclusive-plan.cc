// SPDX-License-Identifier: GPL-3.0-or-later
// The plan is a data flow.  Any choice for the starts of the blocks is right, since code
// on the edges makes up for the differences: sources are entered as late as can be, but
// before a loop that will want them for certain, and left as late as must be.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/scopes.h"
#include "plugin/inclusive/inclusive-add.h"
#include "plugin/inclusive/inclusive-calls.h"
#include "plugin/inclusive/inclusive-plan.h"

// A call that may return more than once: what stands behind it may find what a longjmp
// has left.
static bool returns_twice(const gcall *call)
{
    return gimple_call_flags(call) & ECF_RETURNS_TWICE;
}

// A call of setjmp finds nothing entered, and so does a tail call; in a trace what
// setjmp finds is what is entered at every call.  There a call without a scope may be
// anywhere if debug information leaves no markers to say where.
static void find_in_call(struct inclusive_block *block, gcall *call, tree scope)
{
    bool is_twice = returns_twice(call), is_tail = !is_twice && inclusive_is_tail(call);
    bool is_traced = options.trace && !is_tail;
    struct inclusive_list *list = NULL;

    if (!is_twice && !is_tail && !inclusive_wants_call(call))
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

// The scope around SCOPE in which the counter's function itself was inlined, whatever
// scope the statement has that adds to the counter.
static tree find_counted(tree scope, tree counted)
{
    while (scope && scopes_function(scope) != DECL_ORIGIN(counted))
        scope = scopes_parent(scope);
    return scope;
}

// The local stack of what counts a call of the source COUNTED in SCOPE.
static struct inclusive_list *list_of_counter(tree scope, tree counted)
{
    tree found = find_counted(scope, counted);
    struct inclusive_list *list = inclusive_list_of(found ? found : scope);

    return options.mark == OPTIONS_MARK_SOURCE
               ? inclusive_list_within(list, DECL_ORIGIN(counted))
               : list;
}

// What is around that source there.
static struct inclusive_list *list_around_counter(tree scope, tree counted)
{
    tree found = find_counted(scope, counted);

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

// How control comes in, other than along edges on which code can be put.
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

// The call that ends the block, and the edge on which the block goes on behind it; NULL
// if the block ends otherwise.
static gcall *call_at_end(basic_block bb, edge *behind)
{
    gimple *last = compat_last_stmt(bb);
    gcall *call = last ? dyn_cast<gcall *>(last) : NULL;

    *behind = find_fallthru_edge(bb->succs);
    return *behind && call && stmt_ends_bb_p(call) ? call : NULL;
}

// Makes room for code behind calls that end a block.
static void split_behind_calls(void)
{
    auto_vec<edge> edges;
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        edge behind;
        gcall *call = call_at_end(bb, &behind);
        if (call && (inclusive_wants_call(call) || returns_twice(call)))
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
    // What stands behind a call that ends its block is the first point of the next one.
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

// Rounds after which what a block starts with only becomes less, so that there is an end.
#define ROUNDS 8

// Stands for what is not known yet.
#define UNKNOWN (&inclusive_list_any)

namespace
{
struct plan {
    struct inclusive_block *blocks;
    struct inclusive_list **wanted; // where a block starts, by all ways on
    struct inclusive_list *jumped;  // what all jumps to addresses have in common
    struct inclusive_list *entered; // where the function begins
    int *order, count;              // reverse post-order
};
} // namespace

static struct inclusive_list *wanted_at(const struct plan *plan, basic_block bb)
{
    const struct inclusive_block *block = &plan->blocks[bb->index];
    struct inclusive_list *wanted = UNKNOWN, *behind = UNKNOWN;
    edge e;
    edge_iterator ei;

    if (block->receives)
        return NULL;
    for (const struct inclusive_point &point : block->points) {
        wanted = inclusive_list_common(wanted, point.list);
        if (point.kind != INCLUSIVE_ADD)
            return wanted;
    }
    FOR_EACH_EDGE (e, ei, bb->succs)
        if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun))
            behind = NULL;
        else if (!(e->flags & EDGE_EH))
            behind = inclusive_list_common(behind, plan->wanted[e->dest->index]);
    return inclusive_list_common(wanted, behind);
}

static void find_wanted(struct plan *plan)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (int i = plan->count; i-- > 0;) {
            basic_block bb = BASIC_BLOCK_FOR_FN(cfun, plan->order[i]);
            struct inclusive_list *wanted = wanted_at(plan, bb);
            changed |= wanted != plan->wanted[bb->index];
            plan->wanted[bb->index] = wanted;
        }
    }
    // Blocks that no return can be reached from, nor a call.
    for (int i = 0; i < plan->count; i++)
        if (plan->wanted[plan->order[i]] == UNKNOWN)
            plan->wanted[plan->order[i]] = NULL;
}

static struct inclusive_list *end_of(const struct plan *plan, basic_block bb)
{
    return bb == ENTRY_BLOCK_PTR_FOR_FN(cfun) ? plan->entered
                                              : plan->blocks[bb->index].end;
}

// What a block starts with: what all that come in have, or more, if all that follows
// wants it and one has it.  An exception brings what was entered where it comes from.
static struct inclusive_list *start_of(const struct plan *plan, basic_block bb)
{
    const struct inclusive_block *block = &plan->blocks[bb->index];
    struct inclusive_list *all = UNKNOWN, *most = NULL;
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
            inclusive_list_common(plan->wanted[bb->index], end);
        if (inclusive_list_depth(useful) > inclusive_list_depth(most))
            most = useful;
    }
    if (all == UNKNOWN || block->lands || options.trace)
        return all;
    return inclusive_list_depth(most) > inclusive_list_depth(all) ? most : all;
}

// What is entered at the end of a block that starts with so much.
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

// One round.  Gives whether anything changed.
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
        plan.wanted[i] = blocks[i].start = blocks[i].end = UNKNOWN;
    find_wanted(&plan);
    for (int round = 0; find_states(&plan, round >= ROUNDS); round++)
        ;
    // What cannot be reached.
    for (int i = 0; i < size; i++) {
        if (blocks[i].start == UNKNOWN)
            blocks[i].start = NULL;
        if (blocks[i].end == UNKNOWN)
            blocks[i].end = end_from(&blocks[i], NULL);
    }
    free(plan.wanted);
    free(plan.order);
}
