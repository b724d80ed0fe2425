// SPDX-License-Identifier: GPL-3.0-or-later
// infer: charges each statement without a scope to the scope that the data flow over the
// markers finds, so that label can read it. Then removes the markers. The pass runs after
// the optimisers. Only passes of counters, which need no markers, run after it
// (ccprof.cc). HACKING draws the way of a location from here to label.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"

namespace
{
// The origin of a statement. Optimisers make statements from others and often give the
// new ones no location. In SSA form, the statements that compute the operands, and the
// statement that uses the result, show where it comes from.
struct found {
    location_t location; // UNKNOWN_LOCATION: none was found
    tree scope;
};
} // namespace

// Maximum number of preceding blocks that are searched for a location.
#define MOST_BLOCKS 64

static bool has_location(const gimple *stmt)
{
    return !is_gimple_debug(stmt) && gimple_code(stmt) != GIMPLE_PHI &&
           gimple_has_location(stmt) && gimple_block(stmt);
}

static struct found location_of_statement(const gimple *stmt)
{
    return {gimple_location(stmt), scopes_of_block(gimple_block(stmt))};
}

// Returns the location of the first statement that uses the result and has a location.
static struct found location_of_use(const gimple *stmt)
{
    tree result = gimple_get_lhs(stmt);
    imm_use_iterator iterator;
    use_operand_p use;

    if (result && TREE_CODE(result) == SSA_NAME)
        FOR_EACH_IMM_USE_FAST (use, iterator, result)
            if (has_location(USE_STMT(use)))
                return location_of_statement(USE_STMT(use));
    return {UNKNOWN_LOCATION, NULL_TREE};
}

// Returns the location of the first statement that computes an operand and has a
// location.
static struct found location_of_operand(gimple *stmt)
{
    ssa_op_iter iterator;
    tree operand;

    FOR_EACH_SSA_TREE_OPERAND (operand, stmt, iterator, SSA_OP_USE)
        if (has_location(SSA_NAME_DEF_STMT(operand)))
            return location_of_statement(SSA_NAME_DEF_STMT(operand));
    return {UNKNOWN_LOCATION, NULL_TREE};
}

// Returns FOUND as a location in SCOPE. If FOUND is in a copy inside SCOPE, the result is
// the location of the copy's call.
static struct found location_in_scope(struct found found, tree scope)
{
    for (tree parent; found.scope != scope; found.scope = parent) {
        parent = found.scope ? scopes_parent(found.scope) : NULL_TREE;
        if (!parent)
            return {UNKNOWN_LOCATION, scope};
        found.location = BLOCK_SOURCE_LOCATION(found.scope);
    }
    return found;
}

// Returns the last location of SCOPE in the block, or the last one before STMT if STMT is
// not null.
static struct found last_in_block(basic_block bb, gimple *stmt, tree scope)
{
    gimple_stmt_iterator gsi = stmt ? gsi_for_stmt(stmt) : gsi_last_bb(bb);

    if (stmt)
        gsi_prev(&gsi);
    for (; !gsi_end_p(gsi); gsi_prev(&gsi)) {
        if (!has_location(gsi_stmt(gsi)))
            continue;
        struct found found =
            location_in_scope(location_of_statement(gsi_stmt(gsi)), scope);
        if (found.location)
            return found;
    }
    return {UNKNOWN_LOCATION, scope};
}

// Returns the location that was executed last before the call, on one of the paths to the
// call. GCC itself makes some calls, such as the call of _Unwind_Resume after the
// destructors of a landing pad (GCC: tree-eh.cc, lower_resx), which belong to the end of
// their scope.
static struct found last_location_before(gimple *call, tree scope)
{
    basic_block bb = gimple_bb(call);
    struct found found = last_in_block(bb, call, scope);

    for (int blocks = 0; !found.location && blocks < MOST_BLOCKS; blocks++) {
        if (EDGE_COUNT(bb->preds) == 0)
            break;
        bb = EDGE_PRED(bb, 0)->src;
        if (bb == ENTRY_BLOCK_PTR_FOR_FN(cfun))
            break;
        found = last_in_block(bb, NULL, scope);
    }
    return found;
}

// Returns true if the statement is a call after which nothing else in the function is
// executed. In this case expansion cannot copy the call's location to a later statement.
static bool ends_function(const gimple *stmt)
{
    return is_gimple_call(stmt) && EDGE_COUNT(gimple_bb(stmt)->succs) == 0;
}

// Returns a location for STMT, which has no location and is in the scope STATE. The
// statement that uses the result has priority, as in GCC when it expands a statement into
// the one that uses it (expr.cc, expand_expr_real_1): most such statements are halves of
// a larger one.
static struct found find_location(gimple *stmt, tree state)
{
    struct found use = location_of_use(stmt), operand = location_of_operand(stmt);

    if (use.location)
        return use;
    if (operand.location && operand.scope == state)
        return operand;
    if (is_gimple_call(stmt))
        return last_location_before(stmt, state);
    return {UNKNOWN_LOCATION, state};
}

// Returns true if the statement must stay without a location. With debug information
// there are no markers. In this case expansion gives a statement without a location the
// location of a neighbour (tree-outof-ssa.cc, set_location_for_edge; expr.cc,
// expand_expr_real_1), and this could not be undone if the neighbour were charged.
static bool must_have_no_location(location_t location)
{
    return !markers_are_on() && LOCATION_LOCUS(location) == UNKNOWN_LOCATION;
}

// Returns LOCATION charged to STATE. A location that has a scope is returned unchanged,
// unless a test wants only the markers to be used.
static location_t charge_to_state(location_t location, tree state)
{
    if ((LOCATION_BLOCK(location) && !options.ignore_scopes) ||
        must_have_no_location(location))
        return location;
    return charge_location(location, state ? state : scopes_root());
}

static location_t charged_statement(gimple *stmt, tree state)
{
    location_t location = gimple_location(stmt);

    if (LOCATION_BLOCK(location) || gimple_has_location(stmt) ||
        (must_have_no_location(location) && !ends_function(stmt)))
        return charge_to_state(location, state);
    struct found found = find_location(stmt, state ? state : scopes_root());
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
            gimple_phi_arg_set_location(
                phi, i, charge_to_state(location, states[from->index].at_end));
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

// Without optimisation every statement has its scope, and other locations would change
// how GCC expands statements (tree-ssa-ter.cc, ter_is_replaceable_p).
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

static void execute_infer(function *)
{
    if (options_measures(CCPROF_KINDS_LABELLED | CCPROF_KIND_FIELD) && may_charge())
        charge_function();
    markers_remove_all();
    // Functions that a link reads may have been compiled with stopwatches.
    if (filter_watches_any() || in_lto_p)
        scopes_hide();
}

opt_pass *passes_make_infer(void)
{
    return pass_make(PASSES_INFER_NAME, PASS_CFG, execute_infer);
}
