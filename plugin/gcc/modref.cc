// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/modref.h"

void modref_may_change(tree type)
{
    alias_set_type set = flag_strict_aliasing ? get_alias_set(type) : 0;
    modref_access_node any = {0, -1, -1, 0, MODREF_GLOBAL_MEMORY_PARM, false, 0};
    cgraph_node *node;

    FOR_EACH_FUNCTION (node) {
        modref_summary *summary = get_modref_function_summary(node);
        if (!summary)
            continue;
        summary->loads->insert(node->decl, set, set, any, false);
        summary->stores->insert(node->decl, set, set, any, false);
        summary->global_memory_read = summary->global_memory_written = true;
    }
}
