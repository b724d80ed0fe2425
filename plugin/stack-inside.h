/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of stack.h share; nobody else includes it.  All but stack.cc add to the
   function that is being compiled.  */

#ifndef CCPROF_STACK_INSIDE_H
#define CCPROF_STACK_INSIDE_H

#include "../rt/format.h"

/* What of a function is to be changed, and the scope (scopes.h) it stands in.  */
struct stack_site {
    gimple *statement;
    tree scope;
};

/* The pairs of a local stack's sources, each once.  */
struct stack_entries {
    tree pair[CCPROF_STACK_ENTRIES];
    unsigned count;
};

/* What a function has for its calls, loaded where it begins.  */
struct stack_frame {
    tree thread, top, delta;
};

/* stack-code.cc.  Those that take TO append statements to it.  */

#define STACK_THREAD_FIELD(field) offsetof(struct ccprof_stack_thread, field)

/* Of what is counted, 64 bits without a sign.  */
tree stack_number_type(void);
tree stack_number(HOST_WIDE_INT value);

/* What is of TYPE, OFFSET bytes behind POINTER.  */
tree stack_memory(tree type, tree pointer, unsigned offset);
tree stack_load(gimple_seq *to, tree type, tree reference);
void stack_store(gimple_seq *to, tree reference, tree value);

/* The two words that the thread has of the module; the first is its struct
   ccprof_stack_thread, the second what is added to the address of a pair.  */
tree stack_load_word(gimple_seq *to, tree type, unsigned index);
tree stack_load_thread(gimple_seq *to);

/* How far the stack is filled now.  */
tree stack_load_top(gimple_seq *to, const struct stack_frame *frame);

/* The calling thread's copy of the pair.  */
tree stack_own_pair(gimple_seq *to, tree pair, tree delta);

/* All ones if the depth is 0, otherwise 0.  */
tree stack_if_first(gimple_seq *to, tree depth);

/* Calls of the stub, behind stack_load_thread: makes room; cuts back to TOP.  */
gcall *stack_call_grow(void);
gcall *stack_call_cut(tree thread, tree top);

/* stack-steps.cc.  */

/* The local stack at SCOPE, NULL_TREE for the function's own; a source more, which may be
   NULL_TREE, there already, or excluded.  */
void stack_find_entries(struct stack_entries *entries, tree scope);
void stack_add_entry(struct stack_entries *entries, tree function);

void stack_add_amount(gimple_seq *to, const struct stack_entries *entries, tree amount);
void stack_enter(gimple_seq *to, const struct stack_frame *frame,
                 const struct stack_entries *entries);
void stack_leave(gimple_seq *to, const struct stack_frame *frame,
                 const struct stack_entries *entries);

/* stack-calls.cc.  */

/* Whether the call may come to profiled code, and is no tail call.  */
bool stack_wants_call(const gcall *call);
void stack_make_frame(struct stack_frame *frame);
void stack_instrument_call(const struct stack_site *site,
                           const struct stack_frame *frame);

/* stack-receive.cc.  */

/* Whether control comes in at the statement, a label, from elsewhere.  */
bool stack_is_receiver(const gimple *stmt);
void stack_receive_in(basic_block bb, const struct stack_frame *frame);

/* The call may return more than once.  */
void stack_receive_behind(gcall *call, const struct stack_frame *frame);

/* Cuts the stack back to TOP, behind the statement LAST that found NOW, if it is another.
 */
void stack_cut_back(gimple *last, tree thread, tree now, tree top);

/* Whether the call may return, and then: what is executed first.  */
bool stack_has_behind(gcall *call);
void stack_insert_behind(gcall *call, gimple_seq statements);

/* stack-add.cc.  */

/* The counter of calls that the statement stores to; NULL_TREE if to none.  */
tree stack_stored_counter(const gimple *stmt);
void stack_instrument_addition(const struct stack_site *site);

#endif
