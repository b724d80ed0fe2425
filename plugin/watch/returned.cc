// SPDX-License-Identifier: GPL-3.0-or-later
// The pass runs behind the first inlining.  There the return of an inlined copy has
// become an assignment without a place, behind the copy's Leave, and `x = f ()' one of
// what the first has stored.  Both get the copy's scope.  The value carries the scope
// along to where ways meet (GCC: tree-into-ssa.cc), while the block with the markers may
// go.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/returned.h"

// The copies whose Leaves are in a row: of the innermost one nothing else may tell.
static tree first_left(tree before, gimple *leave)
{
    tree block = gimple_block(leave), scope = scopes_of_block(block);

    if (before && scopes_common(scopes_of_block(before), scope) == scope)
        return before;
    return scope && scope != scopes_root() ? block : NULL_TREE;
}

// Where the block's ways meet others a value has had its place since before.
static void claim_passed(const gimple *stmt)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, gimple_bb(stmt)->succs)
        for (gphi_iterator gpi = gsi_start_phis(e->dest); !gsi_end_p(gpi); gsi_next(&gpi))
            if (gimple_phi_arg_def(gpi.phi(), e->dest_idx) == gimple_assign_lhs(stmt))
                gimple_phi_arg_set_location(gpi.phi(), e->dest_idx,
                                            gimple_location(stmt));
}

// BLOCK is of a copy.
static void claim(gimple *stmt, tree block)
{
    tree function = scopes_function(scopes_of_block(block));

    if (!function || !filter_watches(function))
        return;
    gimple_set_location(stmt, set_block(DECL_SOURCE_LOCATION(function), block));
    claim_passed(stmt);
}

// VALUE is what has been stored since the Leave, NULL_TREE: nothing.
static bool is_return(const gimple *stmt, tree value)
{
    return gimple_assign_single_p(stmt) &&
           (value ? gimple_assign_rhs1(stmt) == value : !gimple_has_location(stmt));
}

static void claim_in_block(basic_block bb)
{
    tree left = NULL_TREE, value = NULL_TREE;

    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        if (markers_kind_of(stmt) == MARKERS_LEAVE) {
            left = first_left(value ? NULL_TREE : left, stmt);
            value = NULL_TREE;
        } else if (markers_kind_of(stmt)) {
            left = NULL_TREE;
        } else if (left && is_return(stmt, value)) {
            claim(stmt, left);
            value = gimple_assign_lhs(stmt);
        } else if (!is_gimple_debug(stmt) && !gimple_clobber_p(stmt)) {
            left = NULL_TREE;
        }
    }
}

static void execute(function *fun)
{
    basic_block bb;

    if (!scopes_root() || !markers_can_watch())
        return;
    FOR_EACH_BB_FN (bb, fun)
        claim_in_block(bb);
}

opt_pass *passes_make_returned(void)
{
    return pass_make("ccprof_returned", PASS_SSA, execute);
}

bool returned_is(gimple_stmt_iterator gsi)
{
    const gimple *stmt = gsi_stmt(gsi);
    tree scope = scopes_of_block(gimple_block(stmt));

    if (!scope || !gimple_assign_single_p(stmt))
        return false;
    for (gsi_prev(&gsi); !gsi_end_p(gsi); gsi_prev(&gsi)) {
        const gimple *before = gsi_stmt(gsi);
        if (markers_kind_of(before) == MARKERS_LEAVE &&
            scopes_of_block(gimple_block(before)) == scope)
            return true;
        if (!is_gimple_debug(before) && scopes_of_block(gimple_block(before)) != scope)
            return false;
    }
    return false;
}
