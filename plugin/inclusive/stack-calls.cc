// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls are entered and left around.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/leaf.h"
#include "plugin/inclusive/stack-inside.h"

bool stack_is_tail(const gcall *call)
{
    return gimple_call_tail_p(call) || gimple_call_must_tail_p(call);
}

bool stack_wants_call(const gcall *call)
{
    return !leaf_is_call(call) && !stack_is_tail(call);
}
