// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/reach.h"

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

// From those that may, or were not looked at, to their callers, and theirs.
void reach::settle(void)
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
    settled = true;
}

bool reach::may(unsigned uid)
{
    if (!settled)
        settle();
    map::function *function = functions.find(uid);
    return !function || function->may;
}

bool reach_is_replaceable(tree function)
{
    return TREE_PUBLIC(function) && !DECL_COMDAT(function) &&
           cgraph_node::get(function)->get_availability() < AVAIL_AVAILABLE;
}
