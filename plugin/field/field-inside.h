/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of field share; no other file includes this.  All of it is about the
   current function, while the pass runs.

   field-insn.cc: what single insns need and do; field-want.cc: what each insn wants in
   the field; field-hold.cc: the data flow of what the field holds; field-insert.cc: where
   the stores go, and the registers that they use; field.cc: the pass.  */

#ifndef CCPROF_FIELD_INSIDE_H
#define CCPROF_FIELD_INSIDE_H

/* What the field holds, or is to hold: the number of a site, or one of these.  */
enum { FIELD_CALLERS = 0, FIELD_UNSURE = -1, FIELD_ANYTHING = -2 };

/* Whether nothing is to be stored for the sake of the insn.  */
bool field_wants_nothing(const rtx_insn *insn);

/* Whether the insn takes a cycle at most, and waits for nothing but registers: integers
   that are added, compared and the like, what is on the stack, and branches.  */
bool field_is_light(const rtx_insn *insn);

/* Whether the insn is a call of the current function, whatever this leaves.  */
bool field_is_self_call(const rtx_insn *insn);

/* Whether the field holds behind any other insn what it holds before it.  */
bool field_is_kept(const rtx_insn *insn);

/* Finds what all insns want: that can be asked until field_want_free, of those in blocks
   now; FIELD_ANYTHING: nothing in particular.  */
void field_want_make(void);
void field_want_free(void);
int field_wanted(const rtx_insn *insn);

/* Finds what the field holds, in the time of field_wanted; what is asked below of that
   holds until field_hold_free.  */
void field_hold_make(void);
void field_hold_free(void);

/* What it holds at the start of the block, with the stores on the edges.  */
int field_held_at_start(basic_block bb);

/* What it holds behind the insn if it holds HELD before it.  */
int field_held_after(const rtx_insn *insn, int held);

/* What is to be stored on the edge; FIELD_ANYTHING: nothing is.  */
int field_wanted_on(edge e);

/* Puts the stores before insns and on edges.  DF has analysed the function.  */
void field_insert(void);

/* Whether any was put in this compilation; at the end of the unit.  */
bool field_insert_any(void);

#endif
