// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/branch.h"

basic_block branch_make(gimple *statement, tree variable, tree_code code, tree value)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(statement);
    tree loaded = make_ssa_name(TREE_TYPE(variable));
    basic_block before = gimple_bb(statement);
    gimple *branch = gimple_build_cond(code, loaded, value, NULL, NULL);

    gsi_insert_before(&gsi, gimple_build_assign(loaded, variable), GSI_SAME_STMT);
    gsi_insert_before(&gsi, branch, GSI_SAME_STMT);
    edge others = split_block(before, branch);
    basic_block block = create_empty_bb(before);
    edge taken = make_edge(before, block, EDGE_TRUE_VALUE);
    make_single_succ_edge(block, others->dest, EDGE_FALLTHRU);
    taken->probability = profile_probability::very_unlikely();
    others->flags = (others->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
    others->probability = taken->probability.invert();
    block->count = taken->count();
    if (current_loops)
        add_bb_to_loop(block, before->loop_father);
    return block;
}

void branch_end(function *fun)
{
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    mark_virtual_operands_for_renaming(fun);
}
