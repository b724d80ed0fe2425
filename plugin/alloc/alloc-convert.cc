// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what the results of calls are converted to, and gives calls of allocators the
// type of the block, for alloc-type.cc.  The front ends of C and C++ say the type by a
// conversion, also in new-expressions; GIMPLE has no use for the conversion and drops it,
// so this module looks at functions before they are GIMPLE.

#include "plugin/gcc/compat.h"
#include "plugin/alloc/alloc.h"

bool alloc_is_void_pointer(tree type)
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
    while (value && alloc_is_void_pointer(TREE_TYPE(value)))
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
    tree function = get_callee_fndecl(call);
    return function && alloc_is_allocator(function);
}

namespace
{
struct conversions {
    hash_map<tree, tree> temporaries; // and the calls whose results they hold
    hash_set<tree> told;              // calls of which a conversion was found
    bool (*wanted)(tree call);
    alloc_found *found;
    tree function;
};
} // namespace

static bool is_wanted(const struct conversions *of, tree origin)
{
    return origin && TREE_CODE(origin) == CALL_EXPR && of->wanted(origin);
}

static tree note_temporary(tree *at, int *, void *data)
{
    struct conversions *of = (struct conversions *)data;

    if (TREE_CODE(*at) != TARGET_EXPR || !TARGET_EXPR_INITIAL(*at))
        return NULL_TREE;
    tree call = origin_of(TARGET_EXPR_INITIAL(*at));
    if (is_wanted(of, call))
        of->temporaries.put(TARGET_EXPR_SLOT(*at), call);
    return NULL_TREE;
}

// GCC 16 begins the life of all elements of new T[5] with a clobber of a T[5], which is
// no type that anybody asked for.
static tree use_conversion(tree *at, int *subtrees, void *data)
{
    struct conversions *of = (struct conversions *)data;

    if ((TREE_CODE(*at) == MODIFY_EXPR || TREE_CODE(*at) == INIT_EXPR) &&
        TREE_CLOBBER_P(TREE_OPERAND(*at, 1)))
        *subtrees = 0;
    if (!CONVERT_EXPR_P(*at) || !is_object_pointer(TREE_TYPE(*at)))
        return NULL_TREE;
    tree origin = origin_of(TREE_OPERAND(*at, 0));
    if (!origin)
        return NULL_TREE;
    tree *call = VAR_P(origin) ? of->temporaries.get(origin) : &origin;
    if (!call || !is_wanted(of, *call) || !alloc_is_void_pointer(TREE_TYPE(*call)) ||
        of->told.add(*call))
        return NULL_TREE;
    of->found(of->function, *call, VAR_P(origin) ? origin : NULL_TREE,
              TYPE_MAIN_VARIANT(TREE_TYPE(TREE_TYPE(*at))));
    return NULL_TREE;
}

void alloc_each_conversion(tree function, bool (*wanted)(tree call), alloc_found *found)
{
    struct conversions of;

    of.wanted = wanted;
    of.found = found;
    of.function = function;
    walk_tree_without_duplicates(&DECL_SAVED_TREE(function), note_temporary, &of);
    walk_tree_without_duplicates(&DECL_SAVED_TREE(function), use_conversion, &of);
}

static void retype(tree, tree call, tree temporary, tree type)
{
    tree pointer = build_pointer_type(type);

    if (temporary)
        TREE_TYPE(temporary) = pointer;
    TREE_TYPE(call) = pointer;
}

static void convert_calls(void *of, void *)
{
    alloc_each_conversion((tree)of, is_allocator_call, retype);
}

void alloc_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_PRE_GENERICIZE, convert_calls, NULL);
}
