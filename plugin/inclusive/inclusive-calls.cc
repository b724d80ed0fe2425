// SPDX-License-Identifier: GPL-3.0-or-later
// A call needs nothing entered if no code that it leads to adds to inclusive counts:
// where bytes are counted, what allocates nothing and calls nothing unknown adds nothing.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/callers.h"
#include "plugin/inclusive/inclusive-calls.h"
#include "plugin/inclusive/inclusive.h"

// From which functions of the unit control may come to an addition; NULL: none was
// looked at.
static reach *additions;

void inclusive_note_reach(bool (*adds)(const gcall *))
{
    unsigned uid = callers_uid(current_function_decl);
    bool may_add = reach_is_replaceable(current_function_decl);
    basic_block bb;

    if (!additions)
        additions = new reach();
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
            if (!call)
                continue;
            tree callee = gimple_call_fndecl(call);
            if (adds(call) || (!callee && !leaf_is_call(call)))
                may_add = true;
            else if (!leaf_is_call(call))
                additions->note_call(uid, callers_uid(callee));
        }
    additions->note(uid, may_add);
}

bool inclusive_is_tail(const gcall *call)
{
    return gimple_call_tail_p(call) || gimple_call_must_tail_p(call);
}

// A trace tells of more calls than of those that add.
bool inclusive_wants_call(const gcall *call)
{
    if (leaf_is_call(call) || inclusive_is_tail(call))
        return false;
    tree callee = gimple_call_fndecl(call);
    return options.trace || !callee || !additions || additions->may(callers_uid(callee));
}
