// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/copies.h"

static bool root_is_watched;
static hash_set<tree> *entered, *left; // scopes that have an Enter, a Leave

static void find_markers(basic_block bb)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        enum markers_kind kind = markers_kind_of(stmt);
        tree scope = kind ? scopes_of_block(gimple_block(stmt)) : NULL_TREE;
        if (scope && kind == MARKERS_ENTER)
            entered->add(scope);
        if (scope && kind == MARKERS_LEAVE)
            left->add(scope);
    }
}

void copies_start(bool with_root)
{
    basic_block bb;

    root_is_watched = with_root;
    delete entered;
    delete left;
    entered = new hash_set<tree>;
    left = new hash_set<tree>;
    FOR_EACH_BB_FN (bb, cfun)
        find_markers(bb);
}

// A part that GCC has split off and inlined again goes on with the copy around it: it
// looks like a call of the function by itself, but is not entered.
static bool is_part(tree scope)
{
    tree around = scopes_parent(scope);
    return around && scopes_function(around) == scopes_function(scope) &&
           !entered->contains(scope);
}

bool copies_is_in_part(tree scope)
{
    for (; scope && scope != scopes_root(); scope = scopes_parent(scope))
        if (is_part(scope))
            return true;
    return names_role(current_function_decl) != 0;
}

bool copies_is_entered(tree watched)
{
    return entered->contains(watched);
}

bool copies_is_left(tree watched)
{
    return left->contains(watched);
}

bool copies_has_root(void)
{
    return root_is_watched;
}

tree copies_watched(tree scope)
{
    for (; scope; scope = scopes_parent(scope)) {
        tree function = scopes_function(scope);
        if (scope == scopes_root()
                ? root_is_watched
                : function && filter_watches(function) && !is_part(scope))
            return scope;
    }
    return NULL_TREE;
}

tree copies_around(tree watched)
{
    return copies_watched(scopes_parent(watched));
}

tree copies_common(tree a, tree b)
{
    return copies_watched(scopes_common(a, b));
}

void copies_find(tree block, vec<tree> *copies)
{
    for (; block; block = BLOCK_CHAIN(block)) {
        if (inlined_function_outer_scope_p(block) && copies_watched(block) == block)
            copies->safe_push(block);
        copies_find(BLOCK_SUBBLOCKS(block), copies);
    }
}

bool copies_is_landing(const_edge e)
{
    return e->flags & (EDGE_EH | EDGE_ABNORMAL);
}

tree copies_scope_of(const gimple *stmt)
{
    return is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_LABEL ||
                   gimple_clobber_p(stmt)
               ? NULL_TREE
               : scopes_of_block(gimple_block(stmt));
}

tree copies_first_scope(basic_block bb)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        if (markers_kind_of(stmt))
            return NULL_TREE;
        if (tree scope = copies_scope_of(stmt))
            return scope;
    }
    return NULL_TREE;
}
