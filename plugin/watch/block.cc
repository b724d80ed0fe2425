// SPDX-License-Identifier: GPL-3.0-or-later
// The macro is `if (ccprof_region_block (REGION, BEGIN, END)) {} else BLOCK'; the call is
// nowhere defined.  In GENERIC the statement is a COND_EXPR, of which the module makes
//     { unsigned long opened = BEGIN (REGION); try BLOCK finally END (&opened); }
// before GCC takes loops and jumps apart: so GCC makes every jump out of the block pass
// the end, as for a variable with the attribute cleanup.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/options.h"
#include "plugin/watch/block.h"

enum { REGION, BEGIN, END, ARGUMENTS };

static bool is_for_language(void)
{
    return &parse_in && !cpp_get_options(parse_in)->cplusplus;
}

// The call of the macro, if that is what the condition compares with 0; else NULL_TREE.
static tree call_in(tree condition)
{
    while (TREE_CODE(condition) == NE_EXPR || CONVERT_EXPR_P(condition) ||
           TREE_CODE(condition) == NON_LVALUE_EXPR)
        condition = TREE_OPERAND(condition, 0);
    tree function =
        TREE_CODE(condition) == CALL_EXPR ? get_callee_fndecl(condition) : NULL_TREE;
    return function && DECL_NAME(function) &&
                   id_equal(DECL_NAME(function), "ccprof_region_block") &&
                   call_expr_nargs(condition) == ARGUMENTS
               ? condition
               : NULL_TREE;
}

static tree make_call(location_t location, tree pointer, tree argument)
{
    tree type = TREE_TYPE(TREE_TYPE(TREE_TYPE(pointer)));
    tree call = build_call_nary(type, pointer, 1, argument);

    SET_EXPR_LOCATION(call, location);
    return call;
}

static tree make_region(tree call, tree block, tree function)
{
    location_t location = EXPR_LOCATION(call);
    tree opened = create_tmp_var_raw(long_unsigned_type_node, "ccprof_opened");
    tree begin =
        make_call(location, CALL_EXPR_ARG(call, BEGIN), CALL_EXPR_ARG(call, REGION));
    tree list = NULL_TREE;

    DECL_CONTEXT(opened) = function;
    DECL_SOURCE_LOCATION(opened) = location;
    TREE_ADDRESSABLE(opened) = 1;
    tree end =
        make_call(location, CALL_EXPR_ARG(call, END), build_fold_addr_expr(opened));
    append_to_statement_list(build2(INIT_EXPR, void_type_node, opened, begin), &list);
    append_to_statement_list(build2_loc(location, TRY_FINALLY_EXPR, void_type_node,
                                        block ? block : build_empty_stmt(location), end),
                             &list);
    tree made = build3_loc(location, BIND_EXPR, void_type_node, opened, list, NULL_TREE);
    TREE_SIDE_EFFECTS(made) = 1;
    return made;
}

static tree replace(tree *at, int *, void *function)
{
    tree nested = TREE_CODE(*at) == DECL_EXPR ? DECL_EXPR_DECL(*at) : NULL_TREE;

    if (nested && TREE_CODE(nested) == FUNCTION_DECL && DECL_SAVED_TREE(nested))
        walk_tree_without_duplicates(&DECL_SAVED_TREE(nested), replace, nested);
    tree call = TREE_CODE(*at) == COND_EXPR ? call_in(COND_EXPR_COND(*at)) : NULL_TREE;
    if (!call)
        return NULL_TREE;
    tree block = COND_EXPR_ELSE(*at);
    if (options.profile == OPTIONS_PROFILE_MEASURE)
        *at = make_region(call, block, (tree)function);
    else
        *at = block ? block : build_empty_stmt(EXPR_LOCATION(call));
    return NULL_TREE;
}

// The blocks of functions that stand in others come with the outermost function.
static void replace_in_function(void *function, void *)
{
    if (is_for_language())
        walk_tree_without_duplicates(&DECL_SAVED_TREE((tree)function), replace, function);
}

void block_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_PRE_GENERICIZE, replace_in_function, NULL);
}
