/* SPDX-License-Identifier: MIT */
/* Steps from a frame to its caller, for stack.c and the chains of calls (rt/symbolize).
   It follows the call frame information that compilers put into .eh_frame (DWARF 5, 6.4;
   Linux Standard Base, "Exception Frames").  Unlike libgcc's, this unwinder trusts
   nothing: wrong information, or a stack that does not fit the information, ends the walk
   and not the program.  It takes no lock, allocates nothing, and can start at any
   instruction.  */

#ifndef CCPROF_UNWIND_H
#define CCPROF_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"

/* How the caller's value of a register is found.  */
enum ccprof_unwind_how {
    CCPROF_UNWIND_SAME, /* unchanged */
    CCPROF_UNWIND_UNDEFINED,
    CCPROF_UNWIND_SAVED,    /* in memory, VALUE bytes from the frame's address */
    CCPROF_UNWIND_OFFSET,   /* the frame's address plus VALUE */
    CCPROF_UNWIND_REGISTER, /* in register VALUE */
    /* In memory, at the address that the expression at VALUE gives.  */
    CCPROF_UNWIND_SAVED_EXPR,
    CCPROF_UNWIND_EXPR /* the result of the expression at VALUE */
};

/* The unwind rules at one instruction.  The frame's address is the canonical frame
   address of DWARF.  */
struct ccprof_unwind_rules {
    bool frame_expression;  /* the expression at FRAME_OFFSET gives the frame's address */
    uint8_t frame_register; /* otherwise this register plus FRAME_OFFSET gives it */
    int64_t frame_offset;
    uint8_t how[CCPROF_CPU_REGISTERS];
    int64_t value[CCPROF_CPU_REGISTERS];
};

/* A function in the unwind tables, into which the pointers point.  */
struct ccprof_unwind_function {
    uint64_t start;
    uint64_t code_align;
    int64_t data_align;
    unsigned return_register;
    bool is_signal; /* the frame of a signal, which interrupted its caller */
    /* Call frame instructions of the common entry, and their end.  */
    const uint8_t *common;
    const uint8_t *common_end;
    const uint8_t *own; /* call frame instructions of this function alone */
    const uint8_t *own_end;
};

#define CCPROF_UNWIND_REMEMBERED 4

/* Rules in short form, which fits nearly all frames: the frame's address is a register
   plus an offset, and some registers, the return address among them, are in memory at
   offsets from the frame's address.  */
#define CCPROF_UNWIND_SAVES 8

struct ccprof_unwind_short {
    uint64_t pc;
    uint32_t walk; /* number of the walk that made this */
    int32_t frame_offset;
    uint8_t frame_register;
    uint8_t return_register;
    uint8_t saves;
    uint8_t number[CCPROF_UNWIND_SAVES];
    int32_t offset[CCPROF_UNWIND_SAVES];
    int32_t return_offset;
};

/* The short rules that a walk keeps.  They are enough: the frames of a deep stack are
   mostly those of a recursion, with few different rules.  They are valid for one walk,
   since another module may be loaded at the same addresses before the next one.  Walks of
   the heap keep theirs until a module is unloaded.  */
#define CCPROF_UNWIND_SHORTS 32

/* How many short rules a walk of the heap keeps for the walks after it (capture.h).  */
#define CCPROF_UNWIND_MANY 1024

/* A walk: the frame that it has reached, and room to work in.  All zeros before the first
   walk.  */
struct ccprof_unwind {
    uint64_t pc;
    bool exact; /* pc is the address where a signal came, not a return address */
    /* The last step failed although the frame may have a caller: there are no tables for
       the frame, or they do not fit the stack.  */
    bool broken;
    /* Address from which pc was read, if pc is a return address; 0: unknown.  */
    uint64_t slot;
    uint64_t registers[CCPROF_CPU_REGISTERS];
    struct ccprof_safe_read readable;
    struct ccprof_unwind_rules rules, initial, remembered[CCPROF_UNWIND_REMEMBERED];
    uint32_t walk; /* number of this walk */
    /* Room for CCPROF_UNWIND_MANY short rules, used in place of SHORTS, unless it is
       null.  */
    struct ccprof_unwind_short *many;
    struct ccprof_unwind_short shorts[CCPROF_UNWIND_SHORTS];
};

/* Returns whether there are unwind tables for the code at PC.  All functions here are
   async-signal-safe.  */
bool ccprof_unwind_knows(uint64_t pc);

/* Returns whether the code at PC is the dynamic loader's: the loader calls constructors
   from code that has no unwind tables and no caller.  */
bool ccprof_unwind_is_loader(uint64_t pc);

/* Adds an .eh_frame that the loader does not know, in a program linked with -static.
   Lookups in it are slow, since they read the entries one after the other.  The .eh_frame
   must stay in memory.  */
void ccprof_unwind_add(const uint8_t *start, const uint8_t *end);

/* Starts a walk at the code that a signal interrupted; CONTEXT is the third argument of
   the signal's handler.  */
void ccprof_unwind_start(struct ccprof_unwind *unwind, const void *context);

/* Starts a walk at a call: UNWIND's registers and PC are what ccprof_cpu_caller has given
   there, and READABLE is what is readable now.  If KEEP, what the last walk has found out
   about rules is still true: no module was unloaded since.  */
void ccprof_unwind_start_at_call(struct ccprof_unwind *unwind, uint64_t pc, bool keep);

/* Steps to the caller.  Returns false at the outermost frame, and where unwinding fails
   (BROKEN).  */
bool ccprof_unwind_step(struct ccprof_unwind *unwind);

/* Steps from an address that holds no code to the code that called it; returns false if
   there is none.  */
bool ccprof_unwind_undo_call(struct ccprof_unwind *unwind);

/* The parts of the unwinder: find is in unwind-tables.c, rules and expression are in
   unwind-rules.c.  */

/* Finds the function that holds the instruction at PC; returns false if no table has
   it.  */
bool ccprof_unwind_find(uint64_t pc, struct ccprof_unwind_function *function);

/* Sets unwind->rules to the rules at the instruction PC of the function; returns false if
   they are wrong.  */
bool ccprof_unwind_rules(struct ccprof_unwind *unwind,
                         const struct ccprof_unwind_function *function, uint64_t pc);

/* Returns the short rules at PC if this walk has made them, otherwise null.  */
const struct ccprof_unwind_short *ccprof_unwind_short_find(struct ccprof_unwind *unwind,
                                                           uint64_t pc);

/* Evaluates the expression, which starts with its length.  If PUSHED, *VALUE is on its
   stack at the start.  *VALUE becomes the result.  Returns false if the expression is
   wrong.  */
bool ccprof_unwind_expression(struct ccprof_unwind *unwind, const uint8_t *expression,
                              bool pushed, uint64_t *value);

#endif
