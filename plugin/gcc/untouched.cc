// SPDX-License-Identifier: GPL-3.0-or-later
// A function that is untouched gets an attribute, by which the link knows it again.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/untouched.h"

#define ATTRIBUTE "ccprof_early"

// GCC makes resolvers when functions have been compiled already, and names them so (GCC:
// config/i386/i386-features.cc, make_resolver_func).
#define MADE_RESOLVER ".resolver"

static bool has_attribute(const_tree function)
{
    return lookup_attribute(ATTRIBUTE, DECL_ATTRIBUTES(function));
}

static bool is_made_resolver(const_tree function)
{
    const char *name = DECL_NAME(function) ? IDENTIFIER_POINTER(DECL_NAME(function)) : "";
    size_t length = strlen(name), end = strlen(MADE_RESOLVER);

    return DECL_ARTIFICIAL(function) && length > end &&
           !strcmp(name + length - end, MADE_RESOLVER);
}

// With what it calls in this unit, and so on.
static void note(cgraph_node *node)
{
    node = node->ultimate_alias_target();
    if (!node->definition || has_attribute(node->decl))
        return;
    DECL_ATTRIBUTES(node->decl) =
        tree_cons(get_identifier(ATTRIBUTE), NULL_TREE, DECL_ATTRIBUTES(node->decl));
    for (cgraph_edge *call = node->callees; call; call = call->next_callee)
        note(call->callee);
}

static void find(void *, void *)
{
    cgraph_node *node;

    FOR_EACH_FUNCTION (node)
        if (node->alias && node->ifunc_resolver)
            note(node);
}

void untouched_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_START, find, NULL);
}

bool untouched_is_early(const_tree function)
{
    return has_attribute(function) || is_made_resolver(function);
}

bool untouched_is(const_tree function)
{
    return untouched_is_early(function) ||
           lookup_attribute("naked", DECL_ATTRIBUTES(function));
}
