// SPDX-License-Identifier: GPL-3.0-or-later
// Where control comes in from elsewhere, behind exceptions, longjmps and non-local gotos,
// and behind calls: there the stack is cut back to how far it should be filled.

#include "compat.h"
#include "stack-inside.h"

bool stack_is_receiver(const gimple *stmt)
{
    const glabel *label = dyn_cast<const glabel *>(stmt);
    tree decl = label ? gimple_label_label(label) : NULL_TREE;

    return decl && (EH_LANDING_PAD_NR(decl) || DECL_NONLOCAL(decl));
}

void stack_cut_back(gimple *last, tree thread, tree now, tree top)
{
    gcond *more = gimple_build_cond(NE_EXPR, now, top, NULL_TREE, NULL_TREE);
    basic_block bb =
        insert_cond_bb(gimple_bb(last), last, more, profile_probability::very_unlikely());
    gcall *call = stack_call_cut(thread, top);

    gimple_stmt_iterator gsi = gsi_start_bb(bb);
    gimple_set_location(more, gimple_location(last));
    gimple_set_location(call, gimple_location(last));
    gsi_insert_after(&gsi, call, GSI_NEW_STMT);
}

static edge return_edge(gcall *call)
{
    return stmt_ends_bb_p(call) ? find_fallthru_edge(gimple_bb(call)->succs) : NULL;
}

bool stack_has_behind(gcall *call)
{
    return !stmt_ends_bb_p(call) || return_edge(call);
}

void stack_insert_behind(gcall *call, gimple_seq statements)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(call);

    if (edge e = return_edge(call)) {
        gsi = gsi_start_bb(split_edge(e));
        gsi_insert_seq_after(&gsi, statements, GSI_CONTINUE_LINKING);
    } else {
        gsi_insert_seq_after(&gsi, statements, GSI_CONTINUE_LINKING);
    }
}

void stack_receive_behind(gcall *call, const struct stack_frame *frame)
{
    gimple_seq check = NULL;

    if (!stack_has_behind(call))
        return;
    tree now = stack_load_top(&check, frame);
    gimple *last = gimple_seq_last_stmt(check);
    stack_insert_behind(call, check);
    stack_cut_back(last, frame->thread, now, frame->top);
}

void stack_receive_in(basic_block bb, const struct stack_frame *frame)
{
    gimple_seq check = NULL;
    gimple_stmt_iterator gsi = gsi_after_labels(bb);
    tree now = stack_load_top(&check, frame);
    gimple *last = gimple_seq_last_stmt(check);

    gsi_insert_seq_before(&gsi, check, GSI_SAME_STMT);
    stack_cut_back(last, frame->thread, now, frame->top);
}
