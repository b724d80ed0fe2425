/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field: makes the program itself store its local stack, for the kind time-field.

   Each thread has a word, the field, that holds the site (sites.h) of its local stack.
   The program stores a site there wherever the local stack changes, and a caller stores
   its own site again when the callee returns (Appel, Duba, MacQueen, Tolmach: "Profiling
   in the Presence of Optimization and Garbage Collection", 1988).  The stores are put
   between the final instructions, which are otherwise those of the plain program.  The
   local stacks are those that label finds.

   - field.cc is the pass.  It puts the stores in and finds registers for them.
   - field-flow.cc finds which site each insn needs and which site the field holds.
   - callback.cc makes callbacks restore the field.
   - field_store-NAME.cc has the instructions of a store on the processor NAME.  */

#ifndef CCPROF_FIELD_H
#define CCPROF_FIELD_H

/* In plugin_init.  */
void callback_register(const char *plugin);

/* Whether this compilation has compiled a profiled function, also one that does nothing
   and so stores nothing.  */
bool field_any(void);

/* At the end of the unit: writes the module's field, and where the runtime finds it, if
   any function of this compilation stores into it.  UNIT is not used.  */
void field_emit(const char *unit);

/* What follows is for the files of this room.

   A callback is a function that code without profiling may call: qsort's comparison, a
   signal handler.  Its caller does not store its own site again, so the callback saves
   the field and restores it.  The questions are about the current function, while it is
   compiled, and its insns.  */
bool callback_is_current(void);
bool callback_saves(const rtx_insn *insn);
bool callback_restores(const rtx_insn *insn);

/* What the field holds, or must hold: the number of a site, or one of these.  */
enum { FIELD_CALLERS = 0, FIELD_UNSURE = -1, FIELD_ANYTHING = -2 };

struct field_block {
    bool passes;          /* no insn needs or changes anything */
    bool supplied;        /* the edges into the block bring what it needs */
    int needed;           /* at its start, whichever path is taken from there */
    int at_start, at_end; /* what the field holds, with the stores on the edges */
};

/* What the current function does with the field.  */
struct field_flow {
    int *needed;                /* by each insn, by uid */
    struct field_block *blocks; /* by index */
    int at_return;              /* what a call of this function leaves */
};

/* Fills FLOW; the caller frees both arrays.  */
void field_flow_find(struct field_flow *flow);

/* What the insn, which existed when field_flow_find was called, needs in the field;
   FIELD_ANYTHING: nothing in particular.  */
static inline int field_needed(const struct field_flow *flow, const rtx_insn *insn)
{
    return flow->needed[INSN_UID(insn)];
}

/* What the field holds behind the insn if it holds HELD before it.  */
int field_held_after(const struct field_flow *flow, const rtx_insn *insn, int held);

/* What must be stored on the edge; FIELD_ANYTHING: nothing.  */
int field_needed_on(const struct field_flow *flow, edge e);

/* The instructions of a store.  There is one file field_store-NAME.cc for each processor,
   NAME as in the first word of `gcc -dumpmachine', and field_store-none.cc.  The runtime
   knows these instructions, too (rt/unwind/cpu.h), for a thread that is interrupted in
   the middle of a store.

   What a store needs in general registers: the address of the site (unless it stores 0),
   the address of the field, which is the slot, and one more register while that is
   loaded.  */
bool field_store_needs_site(void);
bool field_store_needs_slot(void);
bool field_store_needs_scratch(void);

/* The register of flags that a store changes, or -1.  While the flags are in use, the
   slot must be in the register BESIDE, and then a store does not change them.  */
int field_store_flags(unsigned *beside);

/* Patterns of insns: to load the site or the slot into a register, and to store the
   address of the SITE, or null if SITE is 0.  Registers that are not needed are ignored.
   KEEPS_FLAGS: the flags are in use.  */
rtx field_store_load_site(unsigned reg, unsigned site);
rtx field_store_load_slot(unsigned reg, unsigned scratch);
rtx field_store_pattern(unsigned site, unsigned site_register, unsigned slot_register,
                        bool keeps_flags);

/* The thread's word (threadword.h).  */
#define FIELD_STORE_WORD "ccprof_field"

#endif
