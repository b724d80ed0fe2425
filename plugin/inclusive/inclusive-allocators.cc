// SPDX-License-Identifier: GPL-3.0-or-later
// Counts how often a thread has entered allocators that are profiled, for alloc.cc: code
// that calls an allocator sees by it whether that was one, wherever it is and however it
// is called.  This cannot be found out when the profile is read: inclusive counts do not
// say which call added to them.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/leaf.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive.h"

static tree load_entered(gimple_seq *to, tree thread)
{
    return inclusive_load(to, inclusive_number_type(),
                          inclusive_memory(inclusive_number_type(), thread,
                                           INCLUSIVE_THREAD_FIELD(allocators)));
}

void inclusive_enter_allocator(void)
{
    gimple_seq statements = NULL;

    // Where there are no pairs there is no thread.
    if (inclusive_pair(current_function_decl) < 0)
        return;
    inclusive_change(&statements, inclusive_thread(&statements),
                     INCLUSIVE_THREAD_FIELD(allocators), PLUS_EXPR, inclusive_number(1));
    gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
                                     statements);
}

bool inclusive_note_allocators(gimple_seq *before, gcall *call,
                               struct inclusive_allocators *noted)
{
    if (gimple_call_must_tail_p(call) || leaf_is_call(call))
        return false;
    gimple_call_set_tail(call, false);
    noted->thread = inclusive_thread(before);
    noted->entered = load_entered(before, noted->thread);
    return true;
}

tree inclusive_no_allocator(gimple_seq *behind, const struct inclusive_allocators *noted)
{
    return gimple_build(behind, EQ_EXPR, boolean_type_node,
                        load_entered(behind, noted->thread), noted->entered);
}
