// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/returns.h"
#include "plugin/gcc/callers.h"

namespace
{
struct returns_facts {
    bool may_stay; // it, or what it calls, may not come back
};
} // namespace

typedef callers<returns_facts> returns_map;

static returns_map *functions;
static bool settled;

static void note_statement(returns_map::function *current, gimple *statement)
{
    tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;

    if (!stmt_can_terminate_bb_p(statement))
        return;
    if (!callee || stmt_can_throw_external(cfun, statement))
        current->may_stay = true;
    else
        functions->put_call(DECL_UID(current_function_decl), DECL_UID(callee));
}

void returns_note(void)
{
    basic_block bb;

    if (!functions)
        functions = new returns_map;
    returns_map::function *current = functions->put(DECL_UID(current_function_decl));
    current->known = true;
    if (EDGE_COUNT(EXIT_BLOCK_PTR_FOR_FN(cfun)->preds) == 0)
        current->may_stay = true;
    FOR_EACH_BB_FN (bb, cfun) {
        if (EDGE_COUNT(bb->succs) == 0)
            current->may_stay = true;
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            note_statement(current, gsi_stmt(gsi));
    }
}

// It may be replaced by another of its name when the program is linked or loaded.
static void doubt_replaceable(void)
{
    cgraph_node *node;

    FOR_EACH_DEFINED_FUNCTION (node)
        if (node->get_availability() < AVAIL_AVAILABLE)
            functions->put(DECL_UID(node->decl))->may_stay = true;
}

// From what may stay to its callers, and theirs.
static void settle(void)
{
    auto_vec<returns_map::function *> staying;

    doubt_replaceable();
    for (auto entry : functions->functions) {
        entry.second->may_stay |= !entry.second->known;
        if (entry.second->may_stay)
            staying.safe_push(entry.second);
    }
    while (!staying.is_empty()) {
        returns_map::function *callee = staying.pop();
        for (unsigned uid : callee->from) {
            returns_map::function *caller = functions->find(uid);
            if (!caller->may_stay)
                staying.safe_push(caller);
            caller->may_stay = true;
        }
    }
    settled = true;
}

bool returns_always(tree function)
{
    if (!settled && functions)
        settle();
    returns_map::function *known = functions ? functions->find(DECL_UID(function)) : NULL;
    return known && !known->may_stay;
}
