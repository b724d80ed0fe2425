// SPDX-License-Identifier: GPL-3.0-or-later
// infer: the last GIMPLE pass.  Forward data flow over the CFG: the state is the
// innermost scope entered and not left.  Statements without a scope are charged to
// the state; then the markers are erased.

#include "compat.h"
#include "charge.h"
#include "markers.h"
#include "options.h"
#include "passes.h"
#include "scopes.h"

struct block_state {
    tree at_start; // NULL_TREE: the function itself
    bool reached;
};

static tree state_after(const gimple *stmt, tree state)
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

static tree state_at_end(basic_block bb, tree state)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
        state = state_after(gsi_stmt(gsi), state);
    return state;
}

// Whether the state at the start of BB changed.
static bool flow_into(struct block_state *to, tree state)
{
    if (!to->reached) {
        *to = {state, true};
        return true;
    }
    tree common = scopes_common(to->at_start, state);
    bool changed = common != to->at_start;
    to->at_start = common;
    return changed;
}

static bool flow_once(struct block_state *states, const int *order, int count)
{
    bool changed = false;

    for (int i = 0; i < count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
        if (!states[bb->index].reached)
            continue;
        tree state = state_at_end(bb, states[bb->index].at_start);
        edge e;
        edge_iterator ei;
        FOR_EACH_EDGE(e, ei, bb->succs)
        if (e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun))
            changed |= flow_into(&states[e->dest->index], state);
    }
    return changed;
}

static void flow(struct block_state *states)
{
    int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
    int count = pre_and_rev_post_order_compute(NULL, order, false);
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE(e, ei, ENTRY_BLOCK_PTR_FOR_FN(cfun)->succs)
    flow_into(&states[e->dest->index], NULL_TREE);
    while (flow_once(states, order, count))
        ;
    free(order);
}

// With debug information, a statement without a place stays without one: while
// expanding, GCC lets it take over a neighbour's (tree-outof-ssa.cc,
// set_location_for_edge; expr.cc, expand_expr_real_1), which could not be undone.
static bool must_stay(location_t location)
{
    return debug_info_level > DINFO_LEVEL_NONE &&
           LOCATION_LOCUS(location) == UNKNOWN_LOCATION;
}

// A location with a scope is believed, unless the markers alone are to be tested.
static location_t charged(location_t location, tree state)
{
    if ((LOCATION_BLOCK(location) && !options.ignore_scopes) || must_stay(location))
        return location;
    return charge_location(location, state ? state : scopes_root());
}

static void charge_phis(basic_block bb, const struct block_state *states)
{
    for (gphi_iterator gsi = gsi_start_phis(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gphi *phi = gsi.phi();
        for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
            location_t location = gimple_phi_arg_location(phi, i);
            basic_block from = gimple_phi_arg_edge(phi, i)->src;
            if (LOCATION_LOCUS(location) == UNKNOWN_LOCATION ||
                !states[from->index].reached)
                continue;
            tree state = state_at_end(from, states[from->index].at_start);
            gimple_phi_arg_set_location(phi, i, charged(location, state));
        }
    }
}

static void charge_statements(basic_block bb, tree state)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        if (is_gimple_debug(stmt))
            state = state_after(stmt, state);
        else
            gimple_set_location(stmt, charged(gimple_location(stmt), state));
    }
}

// Without optimisation every statement has its scope, and expansion would look at
// the difference: GCC's tree-ssa-ter.cc, find_replaceable_in_bb.
static bool may_charge(void)
{
    return optimize && !optimize_debug && scopes_root();
}

static void charge_function(void)
{
    struct block_state *states =
        XCNEWVEC(struct block_state, last_basic_block_for_fn(cfun));
    basic_block bb;

    flow(states);
    FOR_EACH_BB_FN(bb, cfun)
    {
        charge_phis(bb, states);
        if (states[bb->index].reached)
            charge_statements(bb, states[bb->index].at_start);
    }
    free(states);
}

static bool is_ours(const gimple *stmt)
{
    return markers_kind_of(stmt) != MARKERS_NONE;
}

// As the function would be without us: GCC's function.cc, allocate_struct_function.
static void restore_function(void)
{
    markers_remove(is_ours);
    cfun->debug_nonbind_markers =
        markers_wanted_by_user() && (lang_hooks.emits_begin_stmt || in_lto_p);
}

static const pass_data infer_data = {
    GIMPLE_PASS, "*ccprof_infer", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

class infer_pass : public gimple_opt_pass
{
  public:
    infer_pass() : gimple_opt_pass(infer_data, g)
    {
    }

    unsigned int execute(function *) final override
    {
        if (options.profile == OPTIONS_PROFILE_TIME_LABEL && may_charge())
            charge_function();
        restore_function();
        return 0;
    }
};

opt_pass *passes_make_infer(void)
{
    return new infer_pass;
}
