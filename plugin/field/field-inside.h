/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field-inside: what the files of field share; no other file includes this.

   field.cc, the pass, has a struct field_flow of the current function, which the others
   fill and read one after the other: field-want.cc finds what each insn wants in the
   field; field-hold.cc what the field holds; field-insert.cc puts the stores in, and
   finds registers for them.  field-insn.cc tells all of them what single insns need and
   do.  */

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

struct field_block {
    bool passes;          /* no insn wants or changes anything */
    bool supplied;        /* the edges into the block bring what it wants */
    int wanted;           /* at its start, whichever way is taken from there */
    int at_start, at_end; /* what the field holds, with the stores on the edges */
};

struct field_flow {
    int *wanted;                /* what each insn wants, by uid */
    struct field_block *blocks; /* by index */
    int at_return;              /* what a call of this function leaves */
};

/* Finds what all insns want; FIELD_ANYTHING: nothing in particular.  */
void field_want_find(struct field_flow *flow);

/* What the insn wants, which was there when field_want_find was called.  */
static inline int field_wanted(const struct field_flow *flow, const rtx_insn *insn)
{
    return flow->wanted[INSN_UID(insn)];
}

/* Finds what the field holds, by what is wanted.  */
void field_hold_find(struct field_flow *flow);

/* What the field holds behind the insn if it holds HELD before it.  */
int field_held_after(const struct field_flow *flow, const rtx_insn *insn, int held);

/* What is to be stored on the edge; FIELD_ANYTHING: nothing is.  */
int field_wanted_on(const struct field_flow *flow, edge e);

/* Puts the stores before insns and on edges.  DF has analysed the function.  */
void field_insert(const struct field_flow *flow);

/* Whether any store was put in in this compilation; at the end of the unit.  */
bool field_insert_any(void);

#endif
