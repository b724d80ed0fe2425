/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive-code: builds what the added code is made of, for the files of
   plugin/inclusive: statements that read and write a thread's words, calls of the stub
   (rt/attach.c), and what a function loads where it begins.  The module owns the
   declarations of what the stub has.  The functions that take TO append statements to
   it.  What counts how often a thread has entered allocators
   (inclusive.h) is here, too.  */

#ifndef CCPROF_INCLUSIVE_CODE_H
#define CCPROF_INCLUSIVE_CODE_H

#include "rt/format.h"

/* In plugin_init.  */
void inclusive_code_register(const char *plugin);

/* The type of what is counted: 64 bits without a sign; a constant of it.  */
static inline tree inclusive_number_type(void)
{
    return long_long_unsigned_type_node;
}
tree inclusive_number(HOST_WIDE_INT value);

/* What is of TYPE, OFFSET bytes behind POINTER.  */
tree inclusive_memory(tree type, tree pointer, unsigned offset);
tree inclusive_load(gimple_seq *to, tree type, tree reference);
void inclusive_store(gimple_seq *to, tree reference, tree value);

/* Adds to, or subtracts from, a number in memory.  */
void inclusive_change(gimple_seq *to, tree pointer, unsigned offset, enum tree_code code,
                      tree amount);

/* All ones if the depth is 0, otherwise 0.  */
tree inclusive_if_first(gimple_seq *to, tree depth);

#define INCLUSIVE_THREAD_FIELD(field) offsetof(struct ccprof_stack_thread, field)

/* What inclusive_add's statements store to, until they are replaced.  */
tree inclusive_amount_place(void);

/* What a function has for all this, loaded where it begins.  */
struct inclusive_frame {
    tree thread; /* its struct ccprof_stack_thread */
    tree own;    /* the thread's copy of the unit's pairs; in steps NULL_TREE */
    tree top;    /* NULL_TREE in a function that enters nothing */
};

/* Puts the loads of a frame where the function begins; with ENTERS makes room on the
   stack.  IN_STEPS: all but sums that are in line is done by steps (inclusive_step.h). */
void inclusive_make_frame(struct inclusive_frame *frame, bool enters, bool in_steps);

/* How far the stack of the function is filled if DEPTH sources are entered.  */
tree inclusive_top_at(gimple_seq *to, const struct inclusive_frame *frame,
                      unsigned depth);

/* Calls of the stub.  LIST is the address of a inclusive_pairs_list.  */
gcall *inclusive_call_cut(const struct inclusive_frame *frame, tree top);
gcall *inclusive_call_enter(const struct inclusive_frame *frame, tree list);
gcall *inclusive_call_leave(const struct inclusive_frame *frame, tree list, tree top);

/* With a trace: a call that has the program told what was entered or left.  */
void inclusive_append_tell(gimple_seq *to, const struct inclusive_frame *frame);

#endif
