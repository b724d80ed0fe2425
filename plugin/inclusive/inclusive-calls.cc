// SPDX-License-Identifier: GPL-3.0-or-later
// Tells which calls are entered and left around.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/leaf.h"
#include "plugin/gcc/options.h"
#include "plugin/inclusive/inclusive-inside.h"

bool inclusive_is_tail(const gcall *call)
{
    return gimple_call_tail_p(call) || gimple_call_must_tail_p(call);
}

// Whether what is added can change during the call.  A trace tells of more than that.
static bool may_add(const gcall *call)
{
    tree function = gimple_call_fndecl(call);
    return options.trace || !function || inclusive_may_add(function);
}

bool inclusive_wants_call(const gcall *call)
{
    return !leaf_is_call(call) && !inclusive_is_tail(call) && may_add(call);
}
