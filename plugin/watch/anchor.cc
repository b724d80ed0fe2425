// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps functions with a stopwatch, and inlined copies of them, separate from other code
// until stopwatch.cc inserts the stopwatches.
//
// 1. Claim returns, after the first inlining. The return of an inlined copy has become
//    an assignment without a location, after the copy's Leave, and `x = f ()' an
//    assignment of its result. Both get the copy's scope. The block with the markers may
//    disappear, but the value carries the scope to where paths meet (GCC:
//    tree-into-ssa.cc). If a copy returns a constant, this scope may be the only trace
//    of the copy.
// 2. Restore markers, before the last inlining. Enter and Leave are put where a scope
//    begins or ceases to be open (watch.h, open_find).
// 3. Anchor the markers: put an empty volatile asm next to each Enter and Leave. Then
//    GCC does not drop the markers, as it would if they were alone in a block. Nor does
//    it merge several calls by vectorisation.
//
// Steps 2 and 3 run after GCC has decided which functions are pure and what is inlined
// where, and before it inlines. With -flto the functions are then read one after the
// other, and each is anchored when it has been read.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/watch.h"

// Returns the block of the innermost copy, if several Leaves follow each other: perhaps
// nothing else remains of this copy. BEFORE is the result for the previous Leave, or
// NULL_TREE if there is no previous one.
static tree innermost_left(tree before, gimple *leave)
{
    tree block = gimple_block(leave), scope = scopes_of_block(block);

    if (before && scopes_common(scopes_of_block(before), scope) == scope)
        return before;
    return scope && scope != scopes_root() ? block : NULL_TREE;
}

// Copies the location of STMT to the phis that use its value. GCC had set the locations
// of these phis before STMT was claimed.
static void claim_phi_arguments(const gimple *stmt)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, gimple_bb(stmt)->succs)
        for (gphi_iterator gpi = gsi_start_phis(e->dest); !gsi_end_p(gpi); gsi_next(&gpi))
            if (gimple_phi_arg_def(gpi.phi(), e->dest_idx) == gimple_assign_lhs(stmt))
                gimple_phi_arg_set_location(gpi.phi(), e->dest_idx,
                                            gimple_location(stmt));
}

// Gives the statement the scope of BLOCK, a block of a copy.
static void claim_statement(gimple *stmt, tree block)
{
    tree function = scopes_function(scopes_of_block(block));

    if (!function || !filter_watches(function))
        return;
    gimple_set_location(stmt, set_block(DECL_SOURCE_LOCATION(function), block));
    claim_phi_arguments(stmt);
}

// Returns true if the statement, after a Leave, stores the copy's result. VALUE is the
// variable stored last since the Leave, NULL_TREE if nothing has been stored.
static bool is_return(const gimple *stmt, tree value)
{
    return gimple_assign_single_p(stmt) &&
           (value ? gimple_assign_rhs1(stmt) == value : !gimple_has_location(stmt));
}

static void claim_in_block(basic_block bb)
{
    tree left_block = NULL_TREE, value = NULL_TREE;

    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        if (markers_kind_of(stmt) == MARKERS_LEAVE) {
            left_block = innermost_left(value ? NULL_TREE : left_block, stmt);
            value = NULL_TREE;
        } else if (markers_kind_of(stmt)) {
            left_block = NULL_TREE;
        } else if (left_block && is_return(stmt, value)) {
            claim_statement(stmt, left_block);
            value = gimple_assign_lhs(stmt);
        } else if (!is_gimple_debug(stmt) && !gimple_clobber_p(stmt)) {
            left_block = NULL_TREE;
        }
    }
}

static void claim_in_function(function *fun)
{
    basic_block bb;

    if (!scopes_root() || !markers_can_watch())
        return;
    FOR_EACH_BB_FN (bb, fun)
        claim_in_block(bb);
}

opt_pass *passes_make_claim_returns(void)
{
    return pass_make("ccprof_returned", PASS_SSA, claim_in_function);
}

static void add_marker(gimple_seq *to, enum markers_kind kind, tree scope)
{
    gimple *marker = markers_build(kind);

    if (!marker)
        return;
    gimple_set_block(marker, scope);
    gimple_seq_add_stmt(to, marker);
}

// Adds the markers that lead from the state BEFORE to the state AFTER (watch.h).
static void add_between(gimple_seq *to, tree before, tree after)
{
    tree common = copies_common(before, after);
    auto_vec<tree> entered;

    for (; before != common; before = copies_around(before))
        add_marker(to, MARKERS_LEAVE, before);
    for (; after != common; after = copies_around(after))
        entered.safe_push(after);
    while (!entered.is_empty())
        add_marker(to, MARKERS_ENTER, entered.pop());
}

// Adds markers for copies that have disappeared except for values that the edge carries:
// GCC knows where such a value was computed (GCC: tree-into-ssa.cc). A copy that still
// has its Leave needs no new markers: if its Enter is missing, its statements show that
// the copy is entered. Returns the state after the added markers.
static tree add_markers_of_values(gimple_seq *to, edge e, tree before, tree after)
{
    tree common = copies_common(before, after), state = before;

    for (gphi_iterator gpi = gsi_start_phis(e->dest); !gsi_end_p(gpi); gsi_next(&gpi)) {
        location_t location = gimple_phi_arg_location_from_edge(gpi.phi(), e);
        tree watched = copies_watched(scopes_of_block(LOCATION_BLOCK(location)));
        if (!watched || copies_is_left(watched) ||
            copies_common(state, watched) == watched ||
            copies_common(after, watched) == watched ||
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
        add_between(&missing, add_markers_of_values(&missing, e, from, to), to);
        if (missing)
            gsi_insert_seq_on_edge(e, missing);
    }
}

static void restore_copies(void)
{
    auto_vec<tree> copies;
    basic_block bb;

    copies_start(false);
    copies_find(BLOCK_SUBBLOCKS(scopes_root()), &copies);
    if (!markers_can_watch() || copies.is_empty())
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

// Moves the function's own Enter to its start. If a function begins with a loop, its
// Enter may be inside the loop.
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

static void restore_markers(void)
{
    enter_at_start();
    restore_copies();
}

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

// Returns the function with a stopwatch that the statement enters or leaves, otherwise
// NULL_TREE. Returns NULL_TREE for the current function's own Leave, because an asm there
// would prevent a tail call.
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

static void add_anchor(gimple_stmt_iterator *gsi, tree function)
{
    gasm *anchor = gimple_build_asm_vec("", NULL, NULL, NULL, NULL);

    gimple_asm_set_volatile(anchor, true);
    gimple_set_location(anchor, DECL_SOURCE_LOCATION(function));
    gimple_set_block(anchor, gimple_block(gsi_stmt(*gsi)));
    gsi_insert_after(gsi, anchor, GSI_NEW_STMT);
}

static void anchor_function(function *fun)
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
                add_anchor(&gsi, function);
        }
    }
}

static bool is_decided;

// Anchors all functions together, because from now on GCC copies their bodies.
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
        anchor_function(fun);
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
        anchor_function(fun);
}

opt_pass *passes_make_anchor(void)
{
    return pass_make_reader("ccprof_anchor", anchor_read);
}
