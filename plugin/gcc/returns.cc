// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/returns.h"
#include "plugin/gcc/reach.h"

// Where control may stay away: what calls it may not come back.
static reach *leaving;
static bool are_doubted;

// Whether it may stay away by this statement, for what is known of it alone.  What a call
// throws, its callee throws.
static bool note_statement(unsigned uid, gimple *statement)
{
    tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;

    if (!stmt_can_terminate_bb_p(statement))
        return false;
    if (!callee)
        return true;
    leaving->note_call(uid, DECL_UID(callee));
    return false;
}

void returns_note(void)
{
    unsigned uid = DECL_UID(current_function_decl);
    bool may_leave = EDGE_COUNT(EXIT_BLOCK_PTR_FOR_FN(cfun)->preds) == 0;
    basic_block bb;

    if (!leaving)
        leaving = new reach();
    FOR_EACH_BB_FN (bb, cfun) {
        may_leave |= EDGE_COUNT(bb->succs) == 0;
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            may_leave |= note_statement(uid, gsi_stmt(gsi));
    }
    leaving->note(uid, may_leave);
}

// Such functions may be replaced by others of their names when the program is linked or
// loaded, and are taken not to return.
static void doubt_replaceable(void)
{
    cgraph_node *node;

    FOR_EACH_DEFINED_FUNCTION (node)
        if (node->get_availability() < AVAIL_AVAILABLE)
            leaving->note(DECL_UID(node->decl), true);
    are_doubted = true;
}

// The function that was looked at: a copy that was specialised does no more than it.
static tree noted(tree function)
{
    cgraph_node *node = cgraph_node::get(function);

    return node && node->former_clone_of ? node->former_clone_of : function;
}

bool returns_always(tree function)
{
    if (!leaving)
        return false;
    if (!are_doubted)
        doubt_replaceable();
    return !leaving->may(DECL_UID(noted(function)));
}
