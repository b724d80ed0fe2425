// SPDX-License-Identifier: GPL-3.0-or-later
// anchor: keeps functions with a stopwatch, and inlined copies of them, from dissolving.
// It puts an empty volatile asm beside each of their Enters and Leaves: GCC neither drops
// the markers, as it does where they stand alone in a block, nor makes several calls one
// by vectors, so that each call still begins and ends where the watch is put in
// (stopwatch.h).
//
// The asm is put there when all decisions about functions have been made, of what is pure
// and what is inlined where, and before this inlining itself; with -flto the functions
// are read one by one then, and anchored each when it has been read.  What was inlined
// early is there already, and may have lost its markers: they are put back first
// (restore.h).

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/anchor.h"
#include "plugin/watch/restore.h"

static bool is_anchor(const gimple *stmt)
{
    const gasm *text = dyn_cast<const gasm *>(stmt);
    return text && gimple_asm_volatile_p(text) && !*gimple_asm_string(text);
}

static bool is_anchored(gimple_stmt_iterator gsi)
{
    gsi_next(&gsi);
    return !gsi_end_p(gsi) && is_anchor(gsi_stmt(gsi));
}

// The function that the statement enters or leaves; NULL_TREE: none with a stopwatch.
// Beside a function's own Leave an asm would keep a call from being its last act.
static tree watched_at(const gimple *stmt)
{
    enum markers_kind kind = markers_kind_of(stmt);
    tree scope = kind == MARKERS_ENTER || kind == MARKERS_LEAVE
                     ? scopes_of_block(gimple_block(stmt))
                     : NULL_TREE;
    if (kind == MARKERS_LEAVE && scope == scopes_root())
        return NULL_TREE;
    tree function = scope ? scopes_function(scope) : NULL_TREE;

    return function && filter_watches(function) ? function : NULL_TREE;
}

static void anchor(gimple_stmt_iterator *gsi, tree function)
{
    gasm *anchor = gimple_build_asm_vec("", NULL, NULL, NULL, NULL);

    gimple_asm_set_volatile(anchor, true);
    gimple_set_location(anchor, DECL_SOURCE_LOCATION(function));
    gimple_set_block(anchor, gimple_block(gsi_stmt(*gsi)));
    gsi_insert_after(gsi, anchor, GSI_NEW_STMT);
}

static void execute(function *fun)
{
    basic_block bb;

    if (!scopes_root())
        return;
    restore_markers();
    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            tree function = watched_at(gsi_stmt(gsi));
            if (function && !is_anchored(gsi))
                anchor(&gsi, function);
        }
    }
}

static bool is_decided;

// All functions are anchored at once: copies are made of their bodies from now on.
static void anchor_all(void *, void *)
{
    hash_set<tree> seen;
    cgraph_node *node;

    is_decided = true;
    FOR_EACH_FUNCTION (node) {
        function *fun = DECL_STRUCT_FUNCTION(node->decl);
        if (!fun || !fun->cfg || seen.add(node->decl))
            continue;
        push_cfun(fun);
        execute(fun);
        pop_cfun();
    }
}

void anchor_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, anchor_all, NULL);
}

static void anchor_read(function *fun)
{
    if (is_decided)
        execute(fun);
}

opt_pass *passes_make_anchor(void)
{
    return pass_make_reader("ccprof_anchor", anchor_read);
}
