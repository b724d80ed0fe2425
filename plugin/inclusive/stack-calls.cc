// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls are entered and left around.

#include "plugin/gcc/compat.h"
#include "plugin/inclusive/stack-inside.h"
#include "plugin/inclusive/stack.h"

// The runtime's of exceptions that call nothing of the program.
static bool is_of_exceptions(tree function)
{
    static const char *const names[] = {"_Unwind_Resume", "__cxa_begin_catch",
                                        "__cxa_get_exception_ptr"};
    tree name = DECL_NAME(function);

    if (fndecl_built_in_p(function, BUILT_IN_UNWIND_RESUME))
        return true;
    for (const char *known : names)
        if (name && id_equal(name, known) && DECL_EXTERNAL(function))
            return true;
    return false;
}

bool stack_is_harmless(const gcall *call)
{
    tree function = gimple_call_fndecl(call);

    if (gimple_call_internal_p(call))
        return true;
    if (!function)
        return false;
    if (is_of_exceptions(function))
        return true;
    return gimple_call_flags(call) & ECF_LEAF &&
           (fndecl_built_in_p(function) ||
            in_system_header_at(DECL_SOURCE_LOCATION(function)));
}

bool stack_is_tail(const gcall *call)
{
    return gimple_call_tail_p(call) || gimple_call_must_tail_p(call);
}

bool stack_wants_call(const gcall *call)
{
    return !stack_is_harmless(call) && !stack_is_tail(call);
}
