// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls are entered and left around, the code around them, and what a function that
// has such calls loads for it where it begins.

#include "compat.h"
#include "stack-inside.h"

// A function that nothing that is counted can be called by.
static bool is_harmless(const gcall *call)
{
    tree function = gimple_call_fndecl(call);

    if (gimple_call_internal_p(call))
        return true;
    if (!function || !(gimple_call_flags(call) & ECF_LEAF))
        return false;
    return fndecl_built_in_p(function) ||
           in_system_header_at(DECL_SOURCE_LOCATION(function));
}

static bool is_tail(const gcall *call)
{
    return gimple_call_tail_p(call) || gimple_call_must_tail_p(call);
}

bool stack_wants_call(const gcall *call)
{
    return !is_harmless(call) && !is_tail(call);
}

// That the call may have cut off what it entered is put right first, since an exception
// or a longjmp may have been received by code that is not profiled.
static void leave_behind(gcall *call, const struct stack_frame *frame,
                         const struct stack_entries *entries)
{
    gimple_seq check = NULL, statements = NULL;
    tree full = make_ssa_name(ptr_type_node);

    gimple_seq_add_stmt(&check, gimple_build_assign(full, POINTER_PLUS_EXPR, frame->top,
                                                    size_int(8 * entries->count)));
    tree now = stack_load_top(&check, frame);
    stack_leave(&statements, frame, entries);
    annotate_all_with_location(check, gimple_location(call));
    annotate_all_with_location(statements, gimple_location(call));
    gimple *last = gimple_seq_last_stmt(check);
    stack_insert_behind(call, check);
    stack_cut_back(last, frame->thread, now, full);
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, gimple_bb(last)->succs)
    if (e->flags & EDGE_FALSE_VALUE) {
        gimple_stmt_iterator gsi = gsi_after_labels(e->dest);
        gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
    }
}

void stack_instrument_call(const struct stack_site *site, const struct stack_frame *frame)
{
    gcall *call = as_a<gcall *>(site->statement);
    gimple_stmt_iterator gsi = gsi_for_stmt(call);
    struct stack_entries entries;
    gimple_seq before = NULL;

    stack_find_entries(&entries, site->scope);
    if (!entries.count)
        return;
    stack_enter(&before, frame, &entries);
    annotate_all_with_location(before, gimple_location(call));
    gsi_insert_seq_before(&gsi, before, GSI_SAME_STMT);
    if (stack_has_behind(call))
        leave_behind(call, frame, &entries);
}

// Where there is no room for what a call enters, ccprof_attach_grow sees to it.
void stack_make_frame(struct stack_frame *frame)
{
    gimple_seq check = NULL, statements = NULL;
    edge e = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun));
    tree thread = stack_load_thread(&check);
    tree top = stack_load(&check, ptr_type_node,
                          stack_memory(ptr_type_node, thread, STACK_THREAD_FIELD(top)));
    tree limit =
        stack_load(&check, ptr_type_node,
                   stack_memory(ptr_type_node, thread, STACK_THREAD_FIELD(limit)));
    gimple *last = gimple_seq_last_stmt(check);
    gimple_stmt_iterator gsi = gsi_start_bb(split_edge(e));

    gsi_insert_seq_after(&gsi, check, GSI_CONTINUE_LINKING);
    gcond *full = gimple_build_cond(GE_EXPR, top, limit, NULL_TREE, NULL_TREE);
    basic_block bb =
        insert_cond_bb(gimple_bb(last), last, full, profile_probability::very_unlikely());
    gcall *call = stack_call_grow();
    gsi = gsi_start_bb(bb);
    gsi_insert_after(&gsi, call, GSI_NEW_STMT);

    frame->thread = stack_load_thread(&statements);
    frame->top = stack_load_top(&statements, frame);
    frame->delta = stack_load_word(&statements, sizetype, 1);
    gsi = gsi_after_labels(single_succ(bb));
    gsi_insert_seq_before(&gsi, statements, GSI_SAME_STMT);
}
