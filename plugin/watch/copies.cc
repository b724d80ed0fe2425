// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/markers.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/copies.h"

static bool root_is_watched;
static hash_set<tree> *entered; // scopes that have an Enter

static void find_entered(basic_block bb)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        if (markers_kind_of(stmt) == MARKERS_ENTER)
            if (tree scope = scopes_of_block(gimple_block(stmt)))
                entered->add(scope);
    }
}

void copies_start(bool with_root)
{
    basic_block bb;

    root_is_watched = with_root;
    delete entered;
    entered = new hash_set<tree>;
    FOR_EACH_BB_FN (bb, cfun)
        find_entered(bb);
}

// A part that GCC has split off and inlined again goes on with the copy around it: it
// looks like a call of the function by itself, but is not entered.
static bool is_part(tree scope)
{
    tree around = scopes_parent(scope);
    return around && scopes_function(around) == scopes_function(scope) &&
           !entered->contains(scope);
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
