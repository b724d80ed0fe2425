// SPDX-License-Identifier: GPL-3.0-or-later
// Propagates properties of functions along the calls of the unit: which functions
// always return, and which never recurse.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/callgraph.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/callsite.h"

void reach::note(unsigned uid, bool may)
{
    map::function *function = functions.put(uid);

    function->known = true;
    function->may |= may;
}

void reach::note_call(unsigned caller, unsigned callee)
{
    functions.put_call(caller, callee);
}

// Propagates MAY to the callers, until nothing changes. Starts with the functions that
// were recorded with MAY, and with functions whose bodies were not read.
void reach::propagate(void)
{
    auto_vec<map::function *> found;

    for (auto entry : functions.functions) {
        entry.second->may |= !entry.second->known;
        if (entry.second->may)
            found.safe_push(entry.second);
    }
    while (!found.is_empty()) {
        for (unsigned uid : found.pop()->from) {
            map::function *caller = functions.find(uid);
            if (!caller->may)
                found.safe_push(caller);
            caller->may = true;
        }
    }
    is_propagated = true;
}

bool reach::may(unsigned uid)
{
    if (!is_propagated)
        propagate();
    map::function *function = functions.find(uid);
    return !function || function->may;
}

bool reach_is_replaceable(tree function)
{
    return TREE_PUBLIC(function) && !DECL_COMDAT(function) &&
           cgraph_node::get(function)->get_availability() < AVAIL_AVAILABLE;
}

// The functions that may not return: reach finds which functions may lead to an exit.
static reach *may_not_return;
static bool has_replaceable; // replaceable functions are recorded in may_not_return

bool returns_doubtfully(gimple *statement)
{
    const gcall *call = dyn_cast<const gcall *>(statement);

    if (stmt_can_terminate_bb_p(statement))
        return true;
    if (!call || gimple_call_internal_p(call) ||
        !(gimple_call_flags(call) & (ECF_CONST | ECF_PURE)))
        return false;
    tree callee = gimple_call_fndecl(call);
    return !callee || !purity_holds(callee) || stmt_can_throw_external(cfun, statement);
}

// Returns true if the statement itself may end the function. A call of a known function
// is recorded instead: it ends the function only if the callee may do so. An exception of
// the call is an exception of the callee.
static bool note_statement(unsigned uid, gimple *statement)
{
    tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;

    if (!returns_doubtfully(statement))
        return false;
    if (!callee)
        return true;
    may_not_return->note_call(uid, DECL_UID(callee));
    return false;
}

void returns_note(void)
{
    unsigned uid = DECL_UID(current_function_decl);
    bool may_end = EDGE_COUNT(EXIT_BLOCK_PTR_FOR_FN(cfun)->preds) == 0;
    basic_block bb;

    if (!may_not_return)
        may_not_return = new reach();
    FOR_EACH_BB_FN (bb, cfun) {
        may_end |= EDGE_COUNT(bb->succs) == 0;
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            may_end |= note_statement(uid, gsi_stmt(gsi));
    }
    may_not_return->note(uid, may_end);
}

// Records that functions that may be replaced when the program is linked or loaded may
// not return.
static void add_replaceable(void)
{
    cgraph_node *node;

    FOR_EACH_DEFINED_FUNCTION (node)
        if (node->get_availability() < AVAIL_AVAILABLE)
            may_not_return->note(DECL_UID(node->decl), true);
    has_replaceable = true;
}

// Returns the function that returns_note has recorded: for a specialised copy the
// original, which can do everything that the copy can do.
static tree noted_function(tree function)
{
    cgraph_node *node = cgraph_node::get(function);

    return node && node->former_clone_of ? node->former_clone_of : function;
}

bool returns_always(tree function)
{
    if (!may_not_return)
        return false;
    if (!has_replaceable)
        add_replaceable();
    return !may_not_return->may(DECL_UID(noted_function(function)));
}

namespace
{
struct recursion_facts {
    bool never_recurses;
    bool is_replaceable; // when the program is linked or loaded
    unsigned waits;      // calls of functions that may recurse, as far as is known
};
} // namespace

typedef callers<recursion_facts> recursion_map;

static recursion_map *recursions;
static bool is_propagated;

// Inline functions do not count as replaceable: the languages require that all their
// definitions are the same.
static bool is_replaceable(tree function)
{
    return cgraph_node::get(function)->get_availability() < AVAIL_AVAILABLE &&
           !DECL_DECLARED_INLINE_P(function);
}

void recursion_note(void)
{
    basic_block bb;

    if (!recursions)
        recursions = new recursion_map;
    recursion_map::function *current =
        recursions->put(callers_uid(current_function_decl));
    current->known = true;
    current->is_replaceable |= is_replaceable(current_function_decl);
    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
            if (!call || leaf_is_call(call))
                continue;
            current->waits++;
            if (tree callee = gimple_call_fndecl(call))
                recursions->put_call(callers_uid(current_function_decl),
                                     callers_uid(callee));
        }
    }
}

// Propagates from functions without a doubtful call to their callers, until nothing
// changes. Functions that call each other in a circle are never reached.
static void propagate_returns(void)
{
    auto_vec<recursion_map::function *> found;

    for (auto entry : recursions->functions)
        if (entry.second->known && !entry.second->waits)
            found.safe_push(entry.second);
    while (!found.is_empty()) {
        recursion_map::function *callee = found.pop();
        callee->never_recurses = true;
        if (callee->is_replaceable)
            continue;
        for (unsigned uid : callee->from) {
            recursion_map::function *caller = recursions->find(uid);
            if (--caller->waits == 0)
                found.safe_push(caller);
        }
    }
    is_propagated = true;
}

bool recursion_is_impossible(tree function)
{
    if (!is_propagated && recursions)
        propagate_returns();
    recursion_map::function *known =
        recursions ? recursions->find(callers_uid(function)) : NULL;
    return known && known->never_recurses;
}
