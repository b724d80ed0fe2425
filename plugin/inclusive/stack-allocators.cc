// SPDX-License-Identifier: GPL-3.0-or-later
// How often a thread has entered allocators that are profiled: who calls an allocator
// sees by it whether that was one, wherever it is and however it is called.  Nobody can
// tell when the profile is read: what was added to inclusive counts is told of no call.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/leaf.h"
#include "plugin/inclusive/stack-inside.h"
#include "plugin/inclusive/stack.h"

static tree load_entered(gimple_seq *to, tree thread)
{
    return stack_load(
        to, stack_number_type(),
        stack_memory(stack_number_type(), thread, STACK_THREAD_FIELD(allocators)));
}

void stack_enter_allocator(void)
{
    gimple_seq statements = NULL;

    // Where there are no pairs there is no thread.
    if (stack_pair(current_function_decl) < 0)
        return;
    stack_change(&statements, stack_thread(&statements), STACK_THREAD_FIELD(allocators),
                 PLUS_EXPR, stack_number(1));
    gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
                                     statements);
}

bool stack_note_allocators(gimple_seq *before, gcall *call,
                           struct stack_allocators *noted)
{
    if (gimple_call_must_tail_p(call) || leaf_is_call(call))
        return false;
    gimple_call_set_tail(call, false);
    noted->thread = stack_thread(before);
    noted->entered = load_entered(before, noted->thread);
    return true;
}

tree stack_no_allocator(gimple_seq *behind, const struct stack_allocators *noted)
{
    return gimple_build(behind, EQ_EXPR, boolean_type_node,
                        load_entered(behind, noted->thread), noted->entered);
}
