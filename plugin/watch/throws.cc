// SPDX-License-Identifier: GPL-3.0-or-later
// What is done first is made a cleanup, as cleanups are behind the passes of GCC that
// take exceptions apart (GCC: tree-eh.cc, lower_resx).

#include "plugin/gcc/compat.h"
#include "plugin/watch/throws.h"

static basic_block make_block(eh_landing_pad pad)
{
    basic_block bb = create_empty_bb(EXIT_BLOCK_PTR_FOR_FN(cfun)->prev_bb);

    bb->count = profile_count::zero();
    if (current_loops)
        add_bb_to_loop(bb, current_loops->tree_root);
    pad->post_landing_pad = create_artificial_label(UNKNOWN_LOCATION);
    EH_LANDING_PAD_NR(pad->post_landing_pad) = pad->index;
    return bb;
}

static void fill(basic_block bb, eh_landing_pad pad, gimple_seq code)
{
    gimple_seq all = NULL;
    gcall *pointer =
        gimple_build_call(builtin_decl_implicit(BUILT_IN_EH_POINTER), 1,
                          build_int_cst(integer_type_node, pad->region->index));
    tree exception = make_ssa_name(ptr_type_node, pointer);
    gimple_stmt_iterator gsi = gsi_start_bb(bb);

    gimple_call_set_lhs(pointer, exception);
    gimple_seq_add_stmt(&all, gimple_build_label(pad->post_landing_pad));
    gimple_seq_add_stmt(&all, pointer);
    gimple_seq_add_seq(&all, code);
    gimple_seq_add_stmt(
        &all,
        gimple_build_call(builtin_decl_implicit(BUILT_IN_UNWIND_RESUME), 1, exception));
    gsi_insert_seq_after(&gsi, all, GSI_CONTINUE_LINKING);
}

static void lead(gimple *statement, eh_landing_pad pad)
{
    add_stmt_to_eh_lp(statement, pad->index);
    if (gsi_stmt(gsi_last_bb(gimple_bb(statement))) != statement)
        split_block(gimple_bb(statement), statement);
    compat_make_eh_edge(statement);
}

void throws_catch(const vec<gimple *> &statements, gimple_seq code)
{
    eh_landing_pad pad = gen_eh_landing_pad(gen_eh_region_cleanup(NULL));
    basic_block bb = make_block(pad);

    fill(bb, pad, code);
    for (gimple *statement : statements)
        lead(statement, pad);
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
}
