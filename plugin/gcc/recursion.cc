// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/recursion.h"
#include "plugin/gcc/callers.h"
#include "plugin/gcc/leaf.h"

namespace
{
struct recursion_facts {
    bool never_recurses;
    bool is_replaceable; // by another of its name, when the program is linked or loaded
    unsigned waits;      // callees of which it is not known that they never recurse
};
} // namespace

typedef callers<recursion_facts> recursion_map;

static recursion_map *functions;
static bool settled;

// Functions that are inline do the same everywhere, as the languages want it.
static bool is_replaceable(tree function)
{
    return cgraph_node::get(function)->get_availability() < AVAIL_AVAILABLE &&
           !DECL_DECLARED_INLINE_P(function);
}

void recursion_note(void)
{
    basic_block bb;

    if (!functions)
        functions = new recursion_map;
    recursion_map::function *current = functions->put(callers_uid(current_function_decl));
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
                functions->put_call(callers_uid(current_function_decl),
                                    callers_uid(callee));
        }
    }
}

// From those that wait for nobody to their callers, and theirs: those in a circle wait
// for ever.
static void settle(void)
{
    auto_vec<recursion_map::function *> found;

    for (auto entry : functions->functions)
        if (entry.second->known && !entry.second->waits)
            found.safe_push(entry.second);
    while (!found.is_empty()) {
        recursion_map::function *callee = found.pop();
        callee->never_recurses = true;
        if (callee->is_replaceable)
            continue;
        for (unsigned uid : callee->from) {
            recursion_map::function *caller = functions->find(uid);
            if (--caller->waits == 0)
                found.safe_push(caller);
        }
    }
    settled = true;
}

bool recursion_is_impossible(tree function)
{
    if (!settled && functions)
        settle();
    recursion_map::function *known =
        functions ? functions->find(callers_uid(function)) : NULL;
    return known && known->never_recurses;
}
