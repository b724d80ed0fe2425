// SPDX-License-Identifier: GPL-3.0-or-later
// anchor: the pass that keeps inlined copies with a stopwatch from dissolving.  Right
// behind the inlining it puts an empty volatile asm beside each of their Enters and
// Leaves: the optimisers neither delete it, nor make several calls one by vectors, nor
// move it past another one, so that each call still begins and ends where the watch is
// put in (stopwatch.h).  A function without such copies has none.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/pass.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/copies.h"

// The copy that the statement enters or leaves; NULL_TREE: none with a stopwatch.
static tree copy_of(const gimple *stmt)
{
    enum markers_kind kind = markers_kind_of(stmt);
    tree scope = kind == MARKERS_ENTER || kind == MARKERS_LEAVE
                     ? scopes_of_block(gimple_block(stmt))
                     : NULL_TREE;

    return scope && scope != scopes_root() && copies_watched(scope) == scope ? scope
                                                                             : NULL_TREE;
}

static void anchor(gimple_stmt_iterator *gsi, tree scope)
{
    gasm *anchor = gimple_build_asm_vec("", NULL, NULL, NULL, NULL);

    gimple_asm_set_volatile(anchor, true);
    gimple_set_location(anchor, DECL_SOURCE_LOCATION(scopes_function(scope)));
    gimple_set_block(anchor, scope);
    gsi_insert_after(gsi, anchor, GSI_NEW_STMT);
}

static void execute(function *fun)
{
    basic_block bb;

    if (!scopes_root())
        return;
    copies_start(false);
    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (tree scope = copy_of(gsi_stmt(gsi)))
                anchor(&gsi, scope);
    }
}

opt_pass *passes_make_anchor(void)
{
    return pass_make("ccprof_anchor", PASS_SSA, execute);
}
