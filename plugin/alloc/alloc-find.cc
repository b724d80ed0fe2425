// SPDX-License-Identifier: GPL-3.0-or-later
// Finds out whether a call allocates, and how much, by the name or the attributes of the
// called function.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/filter.h"
#include "plugin/alloc/alloc.h"

// Allocators that no attribute describes completely.
static const struct named {
    const char *name;
    enum alloc_size size;
    enum alloc_success success;
    unsigned factors[2];
} allocators[] = {
    {"malloc", ALLOC_SIZE_PRODUCT, ALLOC_SUCCESS_POINTER, {1, 0}},
    {"calloc", ALLOC_SIZE_PRODUCT, ALLOC_SUCCESS_POINTER, {1, 2}},
    {"realloc", ALLOC_SIZE_PRODUCT, ALLOC_SUCCESS_POINTER, {2, 0}},
    {"reallocarray", ALLOC_SIZE_PRODUCT, ALLOC_SUCCESS_POINTER, {2, 3}},
    {"aligned_alloc", ALLOC_SIZE_PRODUCT, ALLOC_SUCCESS_POINTER, {2, 0}},
    {"memalign", ALLOC_SIZE_PRODUCT, ALLOC_SUCCESS_POINTER, {2, 0}},
    {"valloc", ALLOC_SIZE_PRODUCT, ALLOC_SUCCESS_POINTER, {1, 0}},
    {"pvalloc", ALLOC_SIZE_PRODUCT, ALLOC_SUCCESS_POINTER, {1, 0}},
    {"posix_memalign", ALLOC_SIZE_PRODUCT, ALLOC_SUCCESS_ZERO, {3, 0}},
    {"strdup", ALLOC_SIZE_STRING, ALLOC_SUCCESS_POINTER, {0, 0}},
    {"__strdup", ALLOC_SIZE_STRING, ALLOC_SUCCESS_POINTER, {0, 0}},
    {"strndup", ALLOC_SIZE_PREFIX, ALLOC_SUCCESS_POINTER, {0, 0}},
    {"__strndup", ALLOC_SIZE_PREFIX, ALLOC_SUCCESS_POINTER, {0, 0}},
    {"asprintf", ALLOC_SIZE_RESULT, ALLOC_SUCCESS_LENGTH, {0, 0}},
    {"vasprintf", ALLOC_SIZE_RESULT, ALLOC_SUCCESS_LENGTH, {0, 0}},
    {"__asprintf_chk", ALLOC_SIZE_RESULT, ALLOC_SUCCESS_LENGTH, {0, 0}},
    {"__vasprintf_chk", ALLOC_SIZE_RESULT, ALLOC_SUCCESS_LENGTH, {0, 0}},
    {"__cxa_allocate_exception", ALLOC_SIZE_PRODUCT, ALLOC_SUCCESS_ALWAYS, {1, 0}},
    {"__gnat_malloc", ALLOC_SIZE_PRODUCT, ALLOC_SUCCESS_ALWAYS, {1, 0}},
    {"__gnat_realloc", ALLOC_SIZE_PRODUCT, ALLOC_SUCCESS_ALWAYS, {2, 0}},
};

static const struct named *find_named(tree function)
{
    if (!TREE_PUBLIC(function) || !DECL_ASSEMBLER_NAME_SET_P(function))
        return NULL;
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
    name += *name == '*';
    for (const struct named &a : allocators)
        if (!strcmp(a.name, name))
            return &a;
    return NULL;
}

static bool is_profiled(tree function)
{
    cgraph_node *node = cgraph_node::get(function);

    return node && node->definition && !DECL_EXTERNAL(function) && filter_wants(function);
}

// Returns the argument number at the start of the list, or 0 if the list is empty.
static unsigned number_in(tree list)
{
    return list && tree_fits_uhwi_p(TREE_VALUE(list)) ? tree_to_uhwi(TREE_VALUE(list))
                                                      : 0;
}

// Finds the size by the attribute alloc_size of a function's type. Returns false if the
// type has no such attribute.
static bool find_size(tree type, struct alloc_request *request)
{
    tree attribute = lookup_attribute("alloc_size", TYPE_ATTRIBUTES(type));
    tree list = attribute ? TREE_VALUE(attribute) : NULL_TREE;

    request->factors[0] = number_in(list);
    request->factors[1] = list ? number_in(TREE_CHAIN(list)) : 0;
    if (!list)
        return false;
    request->size = ALLOC_SIZE_PRODUCT;
    return true;
}

static bool find_by_declaration(tree function, struct alloc_request *request)
{
    if (const struct named *named = find_named(function)) {
        *request = {function,
                    named->size,
                    named->success,
                    {named->factors[0], named->factors[1]}};
        return true;
    }
    if (!DECL_IS_REPLACEABLE_OPERATOR_NEW_P(function))
        return false;
    *request = {function,
                ALLOC_SIZE_PRODUCT,
                TREE_NOTHROW(function) ? ALLOC_SUCCESS_POINTER : ALLOC_SUCCESS_ALWAYS,
                {1, 0}};
    return true;
}

static bool has_arguments(const gcall *call, const struct alloc_request *request)
{
    unsigned count = gimple_call_num_args(call);

    switch (request->size) {
    case ALLOC_SIZE_UNKNOWN:
    case ALLOC_SIZE_RESULT:
        return true;
    case ALLOC_SIZE_STRING:
        return count >= 1;
    case ALLOC_SIZE_PREFIX:
        return count >= 2;
    case ALLOC_SIZE_PRODUCT:
        break;
    }
    for (unsigned number : request->factors)
        if (number && (number > count ||
                       !INTEGRAL_TYPE_P(TREE_TYPE(gimple_call_arg(call, number - 1)))))
            return false;
    return true;
}

static bool returns_pointer(const gcall *call)
{
    tree type = gimple_call_return_type(call);
    return type && POINTER_TYPE_P(type);
}

// Finds the request by the attributes of the called function or of the function pointer.
static bool find_by_attribute(const gcall *call, struct alloc_request *request)
{
    tree function = gimple_call_fndecl(call);
    tree type = function ? TREE_TYPE(function) : gimple_call_fntype(call);

    if (!type || !returns_pointer(call) || gimple_alloca_call_p(call))
        return false;
    *request = {function, ALLOC_SIZE_UNKNOWN, ALLOC_SUCCESS_POINTER, {0, 0}};
    return find_size(type, request) || gimple_call_flags(call) & ECF_MALLOC;
}

bool alloc_find(const gcall *call, struct alloc_request *request)
{
    tree function = gimple_call_fndecl(call);

    if (gimple_call_internal_p(call) || (function && is_profiled(function)))
        return false;
    if (!(function && find_by_declaration(function, request)) &&
        !find_by_attribute(call, request))
        return false;
    if (!has_arguments(call, request))
        request->size = ALLOC_SIZE_UNKNOWN;
    return true;
}

bool alloc_is_allocator(tree function)
{
    struct alloc_request request;

    return find_by_declaration(function, &request) ||
           (POINTER_TYPE_P(TREE_TYPE(TREE_TYPE(function))) &&
            (DECL_IS_MALLOC(function) || find_size(TREE_TYPE(function), &request)));
}

static bool is_allocator(cgraph_node *node, void *)
{
    return alloc_is_allocator(node->decl);
}

bool alloc_is_profiled(tree function)
{
    return filter_wants(function) &&
           cgraph_node::get(function)->call_for_symbol_and_aliases(is_allocator, NULL,
                                                                   true);
}
