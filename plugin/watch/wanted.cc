// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/copies.h"
#include "plugin/watch/wanted.h"

// What comes next of a scope.
enum next { NEXT_UNKNOWN, NEXT_LEAVE, NEXT_OTHER };

// Each scope is inside of OUTER if that is none.
static bool is_inside(tree scope, tree outer)
{
    if (!outer)
        return true;
    while (scope && scope != outer)
        scope = scopes_parent(scope);
    return scope;
}

// What the marker says; UNKNOWN: nothing of that scope.
static enum next next_of_marker(const gimple *marker, tree scope)
{
    tree of = scopes_of_block(gimple_block(marker));
    enum markers_kind kind = markers_kind_of(marker);

    if (!of || (of != scope && is_inside(of, scope)))
        return NEXT_UNKNOWN;
    if (kind == MARKERS_LEAVE && of == scope)
        return NEXT_LEAVE;
    return kind == MARKERS_RESUME && of == scope ? NEXT_UNKNOWN : NEXT_OTHER;
}

static enum next next_in_block(basic_block bb, tree scope)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        enum next next =
            markers_kind_of(stmt) ? next_of_marker(stmt, scope) : NEXT_UNKNOWN;
        if (next != NEXT_UNKNOWN)
            return next;
    }
    return NEXT_UNKNOWN;
}

// Whether from BB on, wherever that leads but by exceptions, the scope's Leave comes
// next.
static bool leads_to_leave(basic_block bb, tree scope)
{
    auto_vec<basic_block> todo;
    auto_sbitmap seen(last_basic_block_for_fn(cfun));
    bool found = false;

    bitmap_clear(seen);
    todo.safe_push(bb);
    while (!todo.is_empty()) {
        edge e;
        edge_iterator ei;
        bb = todo.pop();
        if (bb == EXIT_BLOCK_PTR_FOR_FN(cfun))
            return false;
        if (!bitmap_set_bit(seen, bb->index))
            continue;
        enum next next = next_in_block(bb, scope);
        if (next == NEXT_OTHER)
            return false;
        found |= next == NEXT_LEAVE;
        if (next == NEXT_UNKNOWN)
            FOR_EACH_EDGE (e, ei, bb->succs)
                if (!copies_is_landing(e))
                    todo.safe_push(e->dest);
    }
    return found;
}

static bool ends_in_block(basic_block bb, tree scope)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        tree of = markers_kind_of(stmt) == MARKERS_LEAVE
                      ? scopes_of_block(gimple_block(stmt))
                      : NULL_TREE;
        if (of && is_inside(scope, of))
            return true;
    }
    return false;
}

// Whether a way leads from BB back to it on which the scope does not end: the loop is the
// copy's own.
static bool is_loop_of(basic_block bb, tree scope)
{
    auto_vec<basic_block> todo;
    auto_sbitmap seen(last_basic_block_for_fn(cfun));

    bitmap_clear(seen);
    todo.safe_push(bb);
    while (!todo.is_empty()) {
        edge e;
        edge_iterator ei;
        basic_block at = todo.pop();
        if (ends_in_block(at, scope))
            continue;
        FOR_EACH_EDGE (e, ei, at->succs) {
            if (e->dest == bb)
                return true;
            if (e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun) &&
                bitmap_set_bit(seen, e->dest->index))
                todo.safe_push(e->dest);
        }
    }
    return false;
}

// The innermost watched copy, with a loop of its own here, that the block enters before
// it does anything else.
static tree first_entered(basic_block bb)
{
    tree entered = NULL_TREE;

    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        enum markers_kind kind = markers_kind_of(stmt);
        tree scope = kind ? scopes_of_block(gimple_block(stmt)) : NULL_TREE;
        if (kind == MARKERS_NONE ? copies_scope_of(stmt) != NULL_TREE
                                 : kind != MARKERS_ENTER || !is_inside(scope, entered))
            break;
        if (!scope || copies_watched(scope) != scope)
            continue;
        if (!is_loop_of(bb, scope))
            break;
        entered = scope;
    }
    return entered;
}

static bool is_loop_header(basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds)
        if (e->flags & EDGE_DFS_BACK)
            return true;
    return false;
}

static bool has_landing(basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds)
        if (copies_is_landing(e))
            return true;
    return false;
}

tree *wanted_find(void)
{
    tree *wanted = XCNEWVEC(tree, last_basic_block_for_fn(cfun));
    basic_block bb;

    mark_dfs_back_edges();
    FOR_EACH_BB_FN (bb, cfun) {
        tree scope = copies_watched(copies_first_scope(bb));
        if (scope && scope != scopes_root() && !has_landing(bb) &&
            !copies_is_in_part(scope) &&
            (!copies_is_entered(scope) || leads_to_leave(bb, scope)))
            wanted[bb->index] = scope;
        scope = is_loop_header(bb) && !has_landing(bb) ? first_entered(bb) : NULL_TREE;
        if (scope && scope != scopes_root())
            wanted[bb->index] = scope;
    }
    return wanted;
}
