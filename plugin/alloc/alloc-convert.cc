// SPDX-License-Identifier: GPL-3.0-or-later
// Gives calls of allocators the type of the block, for alloc-type.cc.  The front ends of
// C and C++ say the type by a conversion, also in new-expressions; GIMPLE has no use for
// the conversion and drops it, so this module looks at functions before they are GIMPLE.

#include "plugin/gcc/compat.h"
#include "plugin/alloc/alloc.h"

static bool is_void_pointer(tree type)
{
    return type && POINTER_TYPE_P(type) && VOID_TYPE_P(TREE_TYPE(type));
}

// No function, and not the number of elements in front of an array of C++.
static bool is_object_pointer(tree type)
{
    return type && POINTER_TYPE_P(type) && !VOID_TYPE_P(TREE_TYPE(type)) &&
           !FUNC_OR_METHOD_TYPE_P(TREE_TYPE(type)) &&
           TYPE_MAIN_VARIANT(TREE_TYPE(type)) != sizetype;
}

// The variable or the call that the value, a pointer to void, comes from.
static tree origin_of(tree value)
{
    while (value && is_void_pointer(TREE_TYPE(value)))
        switch (TREE_CODE(value)) {
        case NOP_EXPR:
        case CONVERT_EXPR:
        case NON_LVALUE_EXPR:
        case SAVE_EXPR:
        case POINTER_PLUS_EXPR: // behind the number of an array's elements
            value = TREE_OPERAND(value, 0);
            break;
        case COMPOUND_EXPR:
            value = TREE_OPERAND(value, 1);
            break;
        case TARGET_EXPR:
            value = TARGET_EXPR_SLOT(value);
            break;
        case CALL_EXPR:
        case VAR_DECL:
            return value;
        default:
            return NULL_TREE;
        }
    return NULL_TREE;
}

static bool is_allocator_call(tree call)
{
    tree function = TREE_CODE(call) == CALL_EXPR ? get_callee_fndecl(call) : NULL_TREE;
    return function && alloc_is_allocator(function);
}

// Temporaries that hold an allocator's result, and the type that it is converted to.
typedef hash_map<tree, tree> type_map;

static tree note_temporary(tree *at, int *, void *of)
{
    type_map *temporaries = (type_map *)of;

    if (TREE_CODE(*at) != TARGET_EXPR || !TARGET_EXPR_INITIAL(*at))
        return NULL_TREE;
    tree call = origin_of(TARGET_EXPR_INITIAL(*at));
    if (call && is_allocator_call(call))
        temporaries->put(TARGET_EXPR_SLOT(*at), call);
    return NULL_TREE;
}

static tree use_conversion(tree *at, int *, void *of)
{
    type_map *temporaries = (type_map *)of;

    if (!CONVERT_EXPR_P(*at) || !is_object_pointer(TREE_TYPE(*at)))
        return NULL_TREE;
    tree origin = origin_of(TREE_OPERAND(*at, 0));
    if (!origin)
        return NULL_TREE;
    tree *call = VAR_P(origin) ? temporaries->get(origin) : &origin;
    if (!call || !is_allocator_call(*call) || !is_void_pointer(TREE_TYPE(*call)))
        return NULL_TREE;
    tree type = build_pointer_type(TYPE_MAIN_VARIANT(TREE_TYPE(TREE_TYPE(*at))));
    if (VAR_P(origin))
        TREE_TYPE(origin) = type;
    TREE_TYPE(*call) = type;
    return NULL_TREE;
}

static void convert_calls(void *of, void *)
{
    tree function = (tree)of;
    type_map temporaries;

    walk_tree_without_duplicates(&DECL_SAVED_TREE(function), note_temporary,
                                 &temporaries);
    walk_tree_without_duplicates(&DECL_SAVED_TREE(function), use_conversion,
                                 &temporaries);
}

void alloc_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_PRE_GENERICIZE, convert_calls, NULL);
}
