// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the library functions of this unit from which control comes to no allocation in
// library code, for alloc-path.cc: a destructor, say.  Calls of them need no path.

#include "plugin/gcc/compat.h"
#include "plugin/alloc/alloc.h"
#include "plugin/gcc/callers.h"

static reach *allocations;

// Whether control may come to an allocation by this call, for what is known of it alone.
static bool note_call(unsigned uid, gcall *call)
{
    tree callee = gimple_call_fndecl(call);
    struct alloc_request request;

    if (alloc_find(call, &request))
        return true;
    if (!alloc_path_may_need(call))
        return false;
    if (callee)
        allocations->note_call(uid, callers_uid(callee));
    return !callee;
}

void alloc_reach_note(void)
{
    unsigned uid = callers_uid(current_function_decl);
    bool may_allocate = reach_is_replaceable(current_function_decl);
    basic_block bb;

    if (!allocations)
        allocations = new reach();
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
                may_allocate |= note_call(uid, call);
    allocations->note(uid, may_allocate);
}

bool alloc_reach_wants(const gcall *call)
{
    tree function = gimple_call_fndecl(call);

    return alloc_path_may_need(call) &&
           (!function || !allocations || allocations->may(callers_uid(function)));
}
