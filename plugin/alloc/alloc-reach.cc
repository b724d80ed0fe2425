// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the library functions of this unit from which control comes to no allocation in
// library code, for alloc-path.cc: a destructor, say.  Calls of them need no path.

#include "plugin/gcc/compat.h"
#include "plugin/alloc/alloc.h"
#include "plugin/gcc/callers.h"

namespace
{
struct reach_facts {
    bool may_allocate;
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

void alloc_reach_note(void)
{
    unsigned uid = uid_of(current_function_decl);
    basic_block bb;

    if (!functions)
        functions = new reach_map;
    reach_map::function *current = functions->put(uid);
    current->known = true;
    current->may_allocate |= is_replaceable(current_function_decl);
    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            struct alloc_request request;
            gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
            if (!call)
                continue;
            tree callee = gimple_call_fndecl(call);
            if (alloc_find(call, &request) || (alloc_path_may_need(call) && !callee))
                current->may_allocate = true;
            else if (alloc_path_may_need(call))
                functions->put_call(uid, uid_of(callee));
        }
    }
}

// From those that may, or were not seen, to their callers.
static void settle(void)
{
    auto_vec<reach_map::function *> found;

    for (auto entry : functions->functions)
        if (!entry.second->known || entry.second->may_allocate)
            found.safe_push(entry.second);
    while (!found.is_empty()) {
        for (unsigned uid : found.pop()->from) {
            reach_map::function *caller = functions->find(uid);
            if (caller->may_allocate)
                continue;
            caller->may_allocate = true;
            found.safe_push(caller);
        }
    }
    settled = true;
}

static bool may_allocate(tree function)
{
    if (!settled && functions)
        settle();
    reach_map::function *known = functions ? functions->find(uid_of(function)) : NULL;
    return !known || !known->known || known->may_allocate;
}

bool alloc_reach_wants(const gcall *call)
{
    tree function = gimple_call_fndecl(call);

    return alloc_path_may_need(call) && (!function || may_allocate(function));
}
