/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field: makes the program itself store its local stack, for the kind time-field. Only
   ccprof.cc calls this room.

   Each thread has a word, the field, that holds the site (sites.h) of its local stack.
   The program stores a site there wherever the local stack changes. A caller stores
   its own site again when the callee returns (Appel, Duba, MacQueen, Tolmach:
   "Profiling in the Presence of Optimization and Garbage Collection", 1988). The
   stores are inserted between the final instructions, which are otherwise those of the
   unprofiled program. The local stacks are the same as in label.

     - field.cc is the pass. It inserts the stores and finds registers for them.
     - field-flow.cc finds which site each insn needs and which site the field holds.
     - callback.cc makes callbacks restore the field.
     - field_store-NAME.cc has the instructions of a store on the processor NAME. */

#ifndef CCPROF_FIELD_H
#define CCPROF_FIELD_H

/* Called in plugin_init. */
void callback_register(const char *plugin);

/* Returns true if this compilation contains a profiled function, even if no function
   stores anything. */
bool field_any(void);

/* Called at the end of the unit. If a function of this compilation stores into the
   field, writes the module's field and the note by which the runtime finds it. UNIT is
   not used. */
void field_emit(const char *unit);

/* The rest of this header is for the files of this room.

   A callback is a function that code without profiling may call: a comparison function
   of qsort, a signal handler. Such a caller does not store its own site again, so the
   callback saves the field and restores it. callback_is_current returns true if the
   current function is a callback. The other two functions return true if INSN, an insn
   of the current function, saves or restores the field. */
bool callback_is_current(void);
bool callback_saves(const rtx_insn *insn);
bool callback_restores(const rtx_insn *insn);

/* The present or required content of the field: the number of a site, or one of these
   values. FIELD_CALLERS: the caller's site or null, which excluded code needs.
   FIELD_UNSURE: unknown. FIELD_ANYTHING: any content is right. */
enum { FIELD_CALLERS = 0, FIELD_UNSURE = -1, FIELD_ANYTHING = -2 };

struct field_block {
    bool passes;          /* no insn needs a site or changes the field */
    bool supplied;        /* the edges into the block supply the needed site */
    int needed;           /* needed at the start, on every path from there */
    int at_start, at_end; /* content of the field, including stores on edges */
};

/* How the current function uses the field. */
struct field_flow {
    int *needed;                /* content that each insn needs, by uid */
    struct field_block *blocks; /* by index */
    int at_return;              /* content of the field when this function returns */
};

/* Fills FLOW for the current function. The caller frees both arrays. */
void field_flow_find(struct field_flow *flow);

/* Returns the content of the field that the insn needs, or FIELD_ANYTHING if the insn
   does not depend on the field. The insn must have existed when field_flow_find was
   called. */
static inline int field_needed(const struct field_flow *flow, const rtx_insn *insn)
{
    return flow->needed[INSN_UID(insn)];
}

/* Returns the content of the field after the insn, if HELD is the content before the
   insn. */
int field_held_after(const struct field_flow *flow, const rtx_insn *insn, int held);

/* Returns the content that must be stored on the edge, or FIELD_ANYTHING if no store
   is needed. */
int field_needed_on(const struct field_flow *flow, edge e);

/* The instructions of a store. Each processor has a file field_store-NAME.cc, where
   NAME is the first word of `gcc -dumpmachine'. The runtime knows these instructions
   too (rt/unwind/cpu.h), because it may interrupt a thread in the middle of a store.

   A store may need general registers for up to three things: the address of the site,
   unless it stores 0; the address of the field, called the slot; and a scratch
   register while the slot is loaded. Each of these functions returns true if a store
   needs a register for this address or for scratch. */
bool field_store_needs_site(void);
bool field_store_needs_slot(void);
bool field_store_needs_scratch(void);

/* Returns the flags register that a store changes, or -1. While the flags are in use,
   the slot must be in the register BESIDE. In this case a store does not change the
   flags. */
int field_store_flags(unsigned *beside);

/* Return patterns of insns that load the site or the slot into a register, or store
   the address of SITE (null if SITE is 0). Registers that are not needed are ignored.
   KEEPS_FLAGS: the flags are in use. */
rtx field_store_load_site(unsigned reg, unsigned site);
rtx field_store_load_slot(unsigned reg, unsigned scratch);
rtx field_store_pattern(unsigned site, unsigned site_register, unsigned slot_register,
                        bool keeps_flags);

/* The name of the thread's word (threadword.h). */
#define FIELD_STORE_WORD "ccprof_field"

#endif
