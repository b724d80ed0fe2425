// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/purity.h"

typedef hash_set<int_hash<unsigned, (unsigned)-1, (unsigned)-2>> number_set;

// By DECL_UID, the functions whose purity was forgotten.
static number_set *pure;

void purity_forget(tree function)
{
    cgraph_node *node = cgraph_node::get(function);

    if (!pure)
        pure = new number_set;
    if ((TREE_READONLY(function) || DECL_PURE_P(function)) &&
        !DECL_LOOPING_CONST_OR_PURE_P(function))
        pure->add(DECL_UID(function));
    node->set_const_flag(false, false);
    node->set_pure_flag(false, false);
}

void purity_forget_of_call(gcall *call)
{
    tree type = gimple_call_fntype(call);

    gimple_call_set_fntype(
        call, build_qualified_type(type, TYPE_QUALS(type) & ~TYPE_QUAL_CONST));
}

bool purity_was(tree function)
{
    return pure && pure->contains(DECL_UID(function));
}
