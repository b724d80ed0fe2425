// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/scopes.h"
#include "plugin/watch/copies.h"

static bool root_is_watched;

void copies_start(bool with_root)
{
    root_is_watched = with_root;
}

bool copies_has_root(void)
{
    return root_is_watched;
}

tree copies_watched(tree scope)
{
    for (; scope; scope = scopes_parent(scope)) {
        tree function = scopes_function(scope);
        if (scope == scopes_root() ? root_is_watched
                                   : function && filter_watches(function))
            return scope;
    }
    return NULL_TREE;
}

tree copies_around(tree watched)
{
    return copies_watched(scopes_parent(watched));
}

static unsigned depth_of(tree watched)
{
    unsigned depth = 0;

    for (; watched; watched = copies_around(watched))
        depth++;
    return depth;
}

tree copies_common(tree a, tree b)
{
    if (a == b)
        return a;
    unsigned depth_a = depth_of(a), depth_b = depth_of(b);

    for (; depth_a > depth_b; depth_a--)
        a = copies_around(a);
    for (; depth_b > depth_a; depth_b--)
        b = copies_around(b);
    while (a != b) {
        a = copies_around(a);
        b = copies_around(b);
    }
    return a;
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
