// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "once.h"
#include "stack.h"

// What is known of a function, by DECL_UID.
struct behaviour {
    bool known; // it was looked at
    bool is_once;
    bool is_replaceable; // by another of its name, when the program is linked or loaded
    unsigned waits;      // callees of which it is not known that they are
    auto_vec<unsigned> from; // who calls it
};

typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, behaviour *>
    function_map;

static function_map *functions;
static bool settled;

// Of the source: a constructor's bodies are one.
static unsigned uid_of(tree function)
{
    return DECL_UID(DECL_ORIGIN(function));
}

static behaviour *behaviour_of(tree function)
{
    bool known;

    if (!functions)
        functions = new function_map;
    behaviour *&place = functions->get_or_insert(uid_of(function), &known);
    if (!known)
        place = new behaviour();
    return place;
}

// Those that are inline do the same everywhere, as the languages want it.
static bool is_replaceable(tree function)
{
    return cgraph_node::get(function)->get_availability() < AVAIL_AVAILABLE &&
           !DECL_DECLARED_INLINE_P(function);
}

void once_note(void)
{
    behaviour *current = behaviour_of(current_function_decl);
    basic_block bb;

    current->known = true;
    current->is_replaceable |= is_replaceable(current_function_decl);
    FOR_EACH_BB_FN(bb, cfun)
    {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
            if (!call || stack_is_harmless(call))
                continue;
            current->waits++;
            if (tree callee = gimple_call_fndecl(call))
                behaviour_of(callee)->from.safe_push(uid_of(current_function_decl));
        }
    }
}

// From those that wait for nobody to their callers, and theirs: those in a circle wait
// for ever.
static void settle(void)
{
    auto_vec<behaviour *> found;

    for (auto entry : *functions)
        if (entry.second->known && !entry.second->waits)
            found.safe_push(entry.second);
    while (!found.is_empty()) {
        behaviour *callee = found.pop();
        callee->is_once = true;
        if (callee->is_replaceable)
            continue;
        for (unsigned uid : callee->from) {
            behaviour *caller = *functions->get(uid);
            if (--caller->waits == 0)
                found.safe_push(caller);
        }
    }
    settled = true;
}

bool once_is(tree function)
{
    if (!settled && functions)
        settle();
    behaviour **known = functions ? functions->get(uid_of(function)) : NULL;
    return known && (*known)->is_once;
}
