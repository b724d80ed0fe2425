// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the functions of this unit from which control comes to nothing that is added to
// inclusive counts, so that calls of them need not be entered: where bytes are counted,
// what allocates nothing and calls nothing unknown.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/leaf.h"
#include "plugin/gcc/reach.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive.h"

static reach *additions;

// Whether control may come to an addition by this call, for what is known of it alone.
static bool note_call(unsigned uid, const gcall *call, bool (*adds)(const gcall *))
{
    tree callee = gimple_call_fndecl(call);

    if (adds(call) || (!callee && !leaf_is_call(call)))
        return true;
    if (!leaf_is_call(call))
        additions->note_call(uid, callers_uid(callee));
    return false;
}

void inclusive_note_reach(bool (*adds)(const gcall *))
{
    unsigned uid = callers_uid(current_function_decl);
    bool may_add = reach_is_replaceable(current_function_decl);
    basic_block bb;

    if (!additions)
        additions = new reach();
    FOR_EACH_BB_FN (bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
                may_add |= note_call(uid, call, adds);
    additions->note(uid, may_add);
}

bool inclusive_may_add(tree function)
{
    return !additions || additions->may(callers_uid(function));
}
