// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the functions of this unit from which control comes to nothing that is added to
// inclusive counts, so that calls of them need not be entered: where bytes are counted,
// what allocates nothing and calls nothing unknown.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/callers.h"
#include "plugin/gcc/leaf.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive.h"

namespace
{
struct reach_facts {
    bool may_add;
};
} // namespace

typedef callers<reach_facts> reach_map;

static reach_map *functions;
static bool settled;

// Of the source: a constructor's bodies are one.
static unsigned uid_of(tree function)
{
    return DECL_UID(DECL_ORIGIN(function));
}

// Another one of its name may do something else; not so of templates and inline ones.
static bool is_replaceable(tree function)
{
    return TREE_PUBLIC(function) && !DECL_COMDAT(function) &&
           cgraph_node::get(function)->get_availability() < AVAIL_AVAILABLE;
}

static void note_call(reach_map::function *current, const gcall *call,
                      bool (*adds)(const gcall *))
{
    tree callee = gimple_call_fndecl(call);

    if (adds(call) || (!callee && !leaf_is_call(call)))
        current->may_add = true;
    else if (!leaf_is_call(call))
        functions->put_call(uid_of(current_function_decl), uid_of(callee));
}

void inclusive_note_reach(bool (*adds)(const gcall *))
{
    basic_block bb;

    if (!functions)
        functions = new reach_map;
    reach_map::function *current = functions->put(uid_of(current_function_decl));
    current->known = true;
    current->may_add |= is_replaceable(current_function_decl);
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
                note_call(current, call, adds);
}

// From those that may, or were not seen, to their callers.
static void settle(void)
{
    auto_vec<reach_map::function *> found;

    for (auto entry : functions->functions) {
        entry.second->may_add |= !entry.second->known;
        if (entry.second->may_add)
            found.safe_push(entry.second);
    }
    while (!found.is_empty()) {
        for (unsigned uid : found.pop()->from) {
            reach_map::function *caller = functions->find(uid);
            if (!caller->may_add)
                found.safe_push(caller);
            caller->may_add = true;
        }
    }
    settled = true;
}

bool inclusive_may_add(tree function)
{
    if (!settled && functions)
        settle();
    reach_map::function *known = functions ? functions->find(uid_of(function)) : NULL;
    return !known || known->may_add;
}
