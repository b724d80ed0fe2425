// SPDX-License-Identifier: GPL-3.0-or-later
// anchor: keeps functions with a stopwatch, and inlined copies of them, from dissolving.
// It puts an empty volatile asm beside each of their Enters and Leaves: GCC neither drops
// the markers, as it does where they stand alone in a block, nor makes several calls one
// by vectors, so that each call still begins and ends where the watch is put in
// (stopwatch.h).
//
// That is done when all decisions about functions have been made, of what is pure and
// what is inlined where, and before this inlining itself; with -flto the functions are
// read one by one then, and anchored each when it has been read.  What was inlined early
// is there already, and may have lost its markers: they are put back first, as open.h
// finds what is open.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/pass.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/anchor.h"
#include "plugin/watch/copies.h"
#include "plugin/watch/open.h"

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

static void add_marker(gimple_seq *to, enum markers_kind kind, tree scope)
{
    gimple *marker = markers_build(kind);

    if (!marker)
        return;
    gimple_set_block(marker, scope);
    gimple_seq_add_stmt(to, marker);
}

// The markers that are missing between two states (open.h).
static void add_between(gimple_seq *to, tree before, tree behind)
{
    tree common = copies_common(before, behind);
    auto_vec<tree> entered;

    for (; before != common; before = copies_around(before))
        add_marker(to, MARKERS_LEAVE, before);
    for (; behind != common; behind = copies_around(behind))
        entered.safe_push(behind);
    while (!entered.is_empty())
        add_marker(to, MARKERS_ENTER, entered.pop());
}

// Copies of which nothing but values is left that come by the edge: GCC knows where a
// value that is chosen by a jump was computed (GCC: tree-into-ssa.cc).
static tree add_passed(gimple_seq *to, edge e, tree before, tree behind)
{
    tree common = copies_common(before, behind), state = before;

    for (gphi_iterator gpi = gsi_start_phis(e->dest); !gsi_end_p(gpi); gsi_next(&gpi)) {
        location_t location = gimple_phi_arg_location_from_edge(gpi.phi(), e);
        tree watched = copies_watched(scopes_of_block(LOCATION_BLOCK(location)));
        if (!watched || copies_common(state, watched) == watched ||
            copies_common(behind, watched) == watched ||
            copies_common(common, watched) != common || !open_is_lost(watched, common))
            continue;
        add_between(to, state, watched);
        state = watched;
    }
    return state;
}

static void restore_in_block(basic_block bb, const struct open_block *blocks)
{
    tree state = blocks[bb->index].start;

    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        tree next = open_at(stmt, state, blocks);
        gimple_seq missing = NULL;
        if (next != state && !markers_kind_of(stmt))
            add_between(&missing, state, next);
        gsi_insert_seq_before(&gsi, missing, GSI_SAME_STMT);
        state = next;
    }
}

static void restore_on_edges(basic_block bb, const struct open_block *blocks)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs) {
        tree from = blocks[bb->index].end;
        if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun) || copies_is_landing(e))
            continue;
        tree to = blocks[e->dest->index].start;
        gimple_seq missing = NULL;
        add_between(&missing, add_passed(&missing, e, from, to), to);
        if (missing)
            gsi_insert_seq_on_edge(e, missing);
    }
}

static bool has_watched_copy(tree block)
{
    for (; block; block = BLOCK_CHAIN(block))
        if ((inlined_function_outer_scope_p(block) && copies_watched(block) == block) ||
            has_watched_copy(BLOCK_SUBBLOCKS(block)))
            return true;
    return false;
}

// Puts markers in where GCC has dropped them.
static void restore(void)
{
    basic_block bb;

    copies_start(false);
    if (!markers_can_watch() || !has_watched_copy(BLOCK_SUBBLOCKS(scopes_root())))
        return;
    struct open_block *blocks = open_find(true);
    FOR_EACH_BB_FN (bb, cfun)
        if (blocks[bb->index].reached) {
            restore_in_block(bb, blocks);
            restore_on_edges(bb, blocks);
        }
    gsi_commit_edge_inserts();
    free(blocks);
}

static void remove_enters_of_root(basic_block bb)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);) {
        gimple *stmt = gsi_stmt(gsi);
        if (markers_kind_of(stmt) == MARKERS_ENTER &&
            scopes_of_block(gimple_block(stmt)) == scopes_root())
            gsi_remove(&gsi, true);
        else
            gsi_next(&gsi);
    }
}

// Where a function begins with a loop its Enter may be in there.
static void enter_at_start(void)
{
    gimple_seq enter = NULL;
    basic_block bb;

    if (!filter_watches(current_function_decl) || names_role(current_function_decl) != 0)
        return;
    FOR_EACH_BB_FN (bb, cfun)
        remove_enters_of_root(bb);
    add_marker(&enter, MARKERS_ENTER, scopes_root());
    gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
                                     enter);
}

static void execute(function *fun)
{
    basic_block bb;

    if (!scopes_root())
        return;
    enter_at_start();
    restore();
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

// Of these bodies copies are made from now on.
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
