// SPDX-License-Identifier: GPL-3.0-or-later
// infer: charges statements without a scope to the state that dataflow finds, for label,
// and erases the markers, behind the optimisers; the passes of counters that need no
// markers run after it (schedule.cc).  HACKING draws the way of a location from here to
// label.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/charge.h"
#include "plugin/gcc/dataflow.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/folded.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/pass.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/location.h"
#include "plugin/gcc/scopes.h"

// With debug information (then there are no markers) a statement without a location stays
// without one: while expanding, GCC lets it take over a neighbour's (tree-outof-ssa.cc,
// set_location_for_edge; expr.cc, expand_expr_real_1), which could not be undone.
static bool must_stay(location_t location)
{
    return !markers_are_on() && LOCATION_LOCUS(location) == UNKNOWN_LOCATION;
}

// A location with a scope is believed, unless the markers alone are to be tested.
static location_t charged(location_t location, tree state)
{
    if ((LOCATION_BLOCK(location) && !options.ignore_scopes) || must_stay(location))
        return location;
    return charge_location(location, state ? state : scopes_root());
}

static location_t charged_statement(gimple *stmt, tree state)
{
    location_t location = gimple_location(stmt);

    if (LOCATION_BLOCK(location) || gimple_has_location(stmt) ||
        (must_stay(location) && !location_is_last(stmt)))
        return charged(location, state);
    struct location_found found = location_find(stmt, state ? state : scopes_root());
    if (!found.location)
        return charge_location(location, found.scope);
    return charge_at(found.location, location, found.scope);
}

static void charge_phis(basic_block bb, const struct dataflow_state *states)
{
    for (gphi_iterator gsi = gsi_start_phis(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gphi *phi = gsi.phi();
        for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
            location_t location = gimple_phi_arg_location(phi, i);
            basic_block from = gimple_phi_arg_edge(phi, i)->src;
            if (LOCATION_LOCUS(location) == UNKNOWN_LOCATION ||
                !states[from->index].reached)
                continue;
            gimple_phi_arg_set_location(phi, i,
                                        charged(location, states[from->index].at_end));
        }
    }
}

static void charge_statements(basic_block bb, tree state)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        if (is_gimple_debug(stmt)) {
            state = dataflow_after(stmt, state);
            continue;
        }
        gimple_set_location(stmt, charged_statement(stmt, state));
    }
}

// Without optimisation every statement has its scope, and expansion would look at
// the difference: GCC's tree-ssa-ter.cc, ter_is_replaceable_p.
static bool may_charge(void)
{
    return optimize && !optimize_debug && scopes_root();
}

static void charge_function(void)
{
    struct dataflow_state *states = dataflow_compute();
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        charge_phis(bb, states);
        if (states[bb->index].reached)
            charge_statements(bb, states[bb->index].at_start);
    }
    free(states);
    folded_keep();
}

static void execute(function *)
{
    if (options_measures(CCPROF_KINDS_LABELLED | CCPROF_KIND_FIELD) && may_charge())
        charge_function();
    markers_remove_all();
    // What a link reads may have been compiled with other options.
    if (filter_watches_any() || in_lto_p)
        scopes_hide();
}

opt_pass *passes_make_infer(void)
{
    return pass_make(PASSES_INFER_NAME, PASS_CFG, execute);
}
