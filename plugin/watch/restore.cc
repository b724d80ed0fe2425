// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/copies.h"
#include "plugin/watch/open.h"
#include "plugin/watch/restore.h"

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
// value that is chosen by a jump was computed (GCC: tree-into-ssa.cc).  One that has its
// Leave still is entered by its statements, if not by an Enter.
static tree add_passed(gimple_seq *to, edge e, tree before, tree behind)
{
    tree common = copies_common(before, behind), state = before;

    for (gphi_iterator gpi = gsi_start_phis(e->dest); !gsi_end_p(gpi); gsi_next(&gpi)) {
        location_t location = gimple_phi_arg_location_from_edge(gpi.phi(), e);
        tree watched = copies_watched(scopes_of_block(LOCATION_BLOCK(location)));
        if (!watched || copies_is_left(watched) ||
            copies_common(state, watched) == watched ||
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

static void restore_of_copies(void)
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

void restore_markers(void)
{
    enter_at_start();
    restore_of_copies();
}
