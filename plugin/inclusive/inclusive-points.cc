// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what the statements of a function want to be entered.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/dataflow.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/scopes.h"
#include "plugin/inclusive/inclusive-inside.h"

static tree scope_of(const gimple *stmt, tree state)
{
    tree scope = scopes_of_block(LOCATION_BLOCK(gimple_location(stmt)));

    if (!scope)
        scope = state;
    return scope ? scope : scopes_root();
}

// May return more than once, so that what it finds is what a longjmp has left.
static bool returns_twice(const gcall *call)
{
    return gimple_call_flags(call) & ECF_RETURNS_TWICE;
}

// With debug information there are no markers to say where a call without a scope is; in
// a trace it may be anywhere.
static struct inclusive_list *list_of_call(const gcall *call, tree scope)
{
    return markers_are_on() || scopes_of_block(LOCATION_BLOCK(gimple_location(call)))
               ? inclusive_list_of(scope)
               : &inclusive_list_any;
}

// Of a call of setjmp as well: what it finds is what is entered at every call here.
static void trace_call(struct inclusive_block *block, gcall *call, tree scope)
{
    bool is_twice = returns_twice(call);

    if (!is_twice && inclusive_is_tail(call)) {
        block->points.safe_push({INCLUSIVE_EXACT, call, NULL, NULL});
    } else if (is_twice || inclusive_wants_call(call)) {
        struct inclusive_list *list = list_of_call(call, scope);
        block->points.safe_push({INCLUSIVE_NO_MORE, call, list, NULL});
        if (!stmt_ends_bb_p(call))
            block->points.safe_push({INCLUSIVE_BEHIND, call, list, NULL});
    }
}

static void find_in_call(struct inclusive_block *block, gcall *call, tree scope)
{
    if (options.trace)
        return trace_call(block, call, scope);
    bool is_twice = returns_twice(call), is_tail = !is_twice && inclusive_is_tail(call);

    if (!is_twice && !is_tail && !inclusive_wants_call(call))
        return;
    struct inclusive_list *list = is_twice || is_tail ? NULL : inclusive_list_of(scope);
    block->points.safe_push({INCLUSIVE_EXACT, call, list, NULL});
    if (!stmt_ends_bb_p(call) && (is_twice || list))
        block->points.safe_push({INCLUSIVE_BEHIND, call, list, NULL});
}

static void find_in_statement(struct inclusive_block *block, gimple *stmt, tree scope)
{
    tree counter = inclusive_stored_counter(stmt);

    if (counter && options.trace)
        block->points.safe_push(
            {INCLUSIVE_CALLED, stmt,
             inclusive_list_around_counter(scope, DECL_CONTEXT(counter)),
             DECL_ORIGIN(DECL_CONTEXT(counter))});
    else if (counter)
        block->points.safe_push({INCLUSIVE_ADD, stmt,
                                 inclusive_list_of_counter(scope, DECL_CONTEXT(counter)),
                                 NULL});
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

static void find_in_block(struct inclusive_block *block, basic_block bb, tree state)
{
    find_arrival(block, bb);
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        state = dataflow_after(stmt, state);
        find_in_statement(block, stmt, scope_of(stmt, state));
    }
}

// Where a call that is entered ends its block: so that there is room behind it.
static void split_behind_calls(void)
{
    auto_vec<edge> edges;
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        gimple *last = compat_last_stmt(bb);
        gcall *call = last ? dyn_cast<gcall *>(last) : NULL;
        edge e = find_fallthru_edge(bb->succs);
        if (call && e && stmt_ends_bb_p(call) &&
            (inclusive_wants_call(call) || returns_twice(call)))
            edges.safe_push(e);
    }
    for (edge e : edges)
        split_edge(e);
}

// What is behind a call that ends its block.
static void find_behind(struct inclusive_block *blocks)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        gimple *last = compat_last_stmt(bb);
        gcall *call = last ? dyn_cast<gcall *>(last) : NULL;
        edge e = find_fallthru_edge(bb->succs);
        if (!call || !e || !stmt_ends_bb_p(call) || blocks[bb->index].points.is_empty())
            continue;
        struct inclusive_point point = blocks[bb->index].points.last();
        if ((point.kind == INCLUSIVE_EXACT || point.kind == INCLUSIVE_NO_MORE) &&
            point.statement == call && (point.list || returns_twice(call)))
            blocks[e->dest->index].points.safe_insert(
                0, {INCLUSIVE_BEHIND, call, point.list, NULL});
    }
}

struct inclusive_block *inclusive_find_points(void)
{
    split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)));
    split_behind_calls();
    struct dataflow_state *states = dataflow_compute();
    struct inclusive_block *blocks = new inclusive_block[last_basic_block_for_fn(cfun)]();
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun)
        find_in_block(&blocks[bb->index], bb, states[bb->index].at_start);
    find_behind(blocks);
    free(states);
    return blocks;
}
