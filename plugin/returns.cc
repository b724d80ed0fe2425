// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "returns.h"

// What is known of a function, by DECL_UID.
struct behaviour {
    bool known;              // it was looked at
    bool may_stay;           // it, or what it calls, may not come back
    auto_vec<unsigned> from; // who calls it
};

typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, behaviour *>
    function_map;

static function_map *functions;
static bool settled;

static behaviour *behaviour_of(tree function)
{
    bool known;

    if (!functions)
        functions = new function_map;
    behaviour *&place = functions->get_or_insert(DECL_UID(function), &known);
    if (!known)
        place = new behaviour();
    return place;
}

static void note_statement(behaviour *current, gimple *statement)
{
    tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;

    if (!stmt_can_terminate_bb_p(statement))
        return;
    if (!callee || stmt_can_throw_external(cfun, statement))
        current->may_stay = true;
    else
        behaviour_of(callee)->from.safe_push(DECL_UID(current_function_decl));
}

void returns_note(void)
{
    behaviour *current = behaviour_of(current_function_decl);
    basic_block bb;

    current->known = true;
    if (EDGE_COUNT(EXIT_BLOCK_PTR_FOR_FN(cfun)->preds) == 0)
        current->may_stay = true;
    FOR_EACH_BB_FN(bb, cfun)
    {
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

    FOR_EACH_DEFINED_FUNCTION(node)
    if (node->get_availability() < AVAIL_AVAILABLE)
        behaviour_of(node->decl)->may_stay = true;
}

// From what may stay to its callers, and theirs.
static void settle(void)
{
    auto_vec<behaviour *> staying;

    doubt_replaceable();
    for (auto entry : *functions) {
        entry.second->may_stay |= !entry.second->known;
        if (entry.second->may_stay)
            staying.safe_push(entry.second);
    }
    while (!staying.is_empty()) {
        behaviour *callee = staying.pop();
        for (unsigned uid : callee->from) {
            behaviour *caller = *functions->get(uid);
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
    behaviour **known = functions ? functions->get(DECL_UID(function)) : NULL;
    return known && !(*known)->may_stay;
}
