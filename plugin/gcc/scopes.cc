// SPDX-License-Identifier: GPL-3.0-or-later
// Finds scopes, their parents and their functions. Also keeps scopes from being
// removed, and hides the labels that do this.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/scopes.h"

tree scopes_root(void)
{
    tree block = DECL_INITIAL(current_function_decl);
    return block && TREE_CODE(block) == BLOCK ? block : NULL_TREE;
}

tree scopes_of_block(tree block)
{
    while (block && TREE_CODE(block) == BLOCK) {
        if (inlined_function_outer_scope_p(block) || block == scopes_root())
            return block;
        block = BLOCK_SUPERCONTEXT(block);
    }
    return NULL_TREE;
}

tree scopes_at(location_t location)
{
    tree scope = scopes_of_block(LOCATION_BLOCK(location));
    return scope ? scope : scopes_root();
}

tree scopes_parent(tree scope)
{
    return scope == scopes_root() ? NULL_TREE
                                  : scopes_of_block(BLOCK_SUPERCONTEXT(scope));
}

static unsigned depth_of(tree scope)
{
    unsigned depth = 0;

    for (; scope; scope = scopes_parent(scope))
        depth++;
    return depth;
}

tree scopes_common(tree a, tree b)
{
    if (a == b)
        return a;
    unsigned depth_a = depth_of(a), depth_b = depth_of(b);

    for (; depth_a > depth_b; depth_a--)
        a = scopes_parent(a);
    for (; depth_b > depth_a; depth_b--)
        b = scopes_parent(b);
    while (a != b) {
        a = scopes_parent(a);
        b = scopes_parent(b);
    }
    return a;
}

tree scopes_function(tree scope)
{
    if (scope == scopes_root())
        return DECL_ORIGIN(current_function_decl);
    tree function = block_ultimate_origin(scope);
    return function && TREE_CODE(function) == FUNCTION_DECL ? DECL_ORIGIN(function)
                                                            : NULL_TREE;
}

static const char keeper[] = "ccprof_scope"; // the name of a label

// Adds a used label to the root. GCC keeps a block that declares a used label (GCC:
// tree-ssa-live.cc, remove_unused_scope_block_p), and copies the label with the block.
// The label need not occur in the code.
void scopes_keep(void)
{
    tree root = scopes_root();
    tree label = build_decl(DECL_SOURCE_LOCATION(current_function_decl), LABEL_DECL,
                            get_identifier(keeper), void_type_node);

    DECL_ARTIFICIAL(label) = 1;
    DECL_CONTEXT(label) = current_function_decl;
    SET_DECL_MODE(label, VOIDmode);
    TREE_USED(label) = 1;
    DECL_CHAIN(label) = BLOCK_VARS(root);
    BLOCK_VARS(root) = label;
}

static void hide_in(tree block, tree name)
{
    for (tree var = BLOCK_VARS(block); var; var = DECL_CHAIN(var))
        if (TREE_CODE(var) == LABEL_DECL && DECL_NAME(var) == name)
            DECL_IGNORED_P(var) = 1;
    for (block = BLOCK_SUBBLOCKS(block); block; block = BLOCK_CHAIN(block))
        hide_in(block, name);
}

// In inlined copies too, the label of scopes_keep is its own abstract origin, and the
// label did not exist when the function was described. So GCC would describe the label
// without the function (GCC: dwarf2out.cc, gen_label_die). GCC 14 and later fail in this
// case.
void scopes_hide(void)
{
    if (scopes_root())
        hide_in(scopes_root(), get_identifier(keeper));
}
