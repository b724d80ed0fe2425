// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"

static tree build(enum tree_code code, const char *name, tree type)
{
    tree decl =
        build_decl(BUILTINS_LOCATION, code, get_identifier(name + (*name == '*')), type);

    SET_DECL_ASSEMBLER_NAME(decl, get_identifier(name));
    DECL_ARTIFICIAL(decl) = 1;
    DECL_IGNORED_P(decl) = 1;
    return decl;
}

tree artificial_variable(const char *name, tree type)
{
    tree variable = build(VAR_DECL, name, type);

    TREE_STATIC(variable) = 1;
    TREE_USED(variable) = 1;
    return variable;
}

tree artificial_external(const char *name, tree type)
{
    tree variable = build(VAR_DECL, name, type);

    DECL_EXTERNAL(variable) = 1;
    return variable;
}

tree artificial_function(const char *name, tree type)
{
    tree function = build(FUNCTION_DECL, name, type);

    TREE_PUBLIC(function) = 1;
    DECL_EXTERNAL(function) = 1;
    TREE_NOTHROW(function) = 1;
    artificial_hide(function);
    return function;
}

void artificial_hide(tree decl)
{
    DECL_VISIBILITY(decl) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(decl) = 1;
}
