// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/leaf.h"

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

bool leaf_is_call(const gcall *call)
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
