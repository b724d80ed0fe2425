// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/dataflow.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/scopes.h"

tree dataflow_after(const gimple *stmt, tree state)
{
    tree scope;

    switch (markers_kind_of(stmt)) {
    case MARKERS_ENTER:
    case MARKERS_RESUME:
        return scopes_of_block(gimple_block(stmt));
    case MARKERS_LEAVE:
        scope = scopes_of_block(gimple_block(stmt));
        return scope ? scopes_parent(scope) : NULL_TREE;
    case MARKERS_NONE:
        break;
    }
    return state;
}

// The last marker of a block decides.
static void find_effect(basic_block bb, struct dataflow_state *state)
{
    for (gimple_stmt_iterator gsi = gsi_last_bb(bb); !gsi_end_p(gsi); gsi_prev(&gsi)) {
        if (!markers_kind_of(gsi_stmt(gsi)))
            continue;
        state->marked = true;
        state->at_end = dataflow_after(gsi_stmt(gsi), NULL_TREE);
        return;
    }
}

// Whether the state at the end changed.
static bool flow_into(struct dataflow_state *to, tree state)
{
    bool first = !to->reached;
    tree before = to->at_end;

    if (!first && to->at_start != state)
        to->joined = true;
    to->at_start = first ? state : scopes_common(to->at_start, state);
    to->reached = true;
    if (!to->marked)
        to->at_end = to->at_start;
    return first || to->at_end != before;
}

static bool flow_out_of(basic_block bb, struct dataflow_state *states)
{
    bool changed = false;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs)
        if (e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun))
            changed |= flow_into(&states[e->dest->index], states[bb->index].at_end);
    return changed;
}

static bool flow_once(struct dataflow_state *states, const int *order, int count)
{
    bool changed = false;

    for (int i = 0; i < count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
        if (states[bb->index].reached)
            changed |= flow_out_of(bb, states);
    }
    return changed;
}

struct dataflow_state *dataflow_compute(void)
{
    struct dataflow_state *states =
        XCNEWVEC(struct dataflow_state, last_basic_block_for_fn(cfun));
    int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
    int count = pre_and_rev_post_order_compute_fn(cfun, NULL, order, false);
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun)
        find_effect(bb, &states[bb->index]);
    flow_out_of(ENTRY_BLOCK_PTR_FOR_FN(cfun), states);
    while (flow_once(states, order, count))
        ;
    free(order);
    return states;
}
