/* SPDX-License-Identifier: MIT */
/* Goes from a frame to its caller, by the call frame information that compilers put into
   .eh_frame (DWARF 5, 6.4; Linux Standard Base, "Exception Frames"). Unlike libgcc's,
   this unwinder trusts nothing: wrong information, or a stack that is not what it says,
   ends the walk and not the program.  It takes no lock, allocates nothing, and can start
   from any instruction.  */

#ifndef CCPROF_UNWIND_H
#define CCPROF_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/safe-read.h"
#include "rt/unwind/cpu.h"

/* How a register of the caller is found.  */
enum ccprof_unwind_how {
    CCPROF_UNWIND_SAME, /* not changed */
    CCPROF_UNWIND_UNDEFINED,
    CCPROF_UNWIND_SAVED,      /* in memory, VALUE from the frame's address */
    CCPROF_UNWIND_OFFSET,     /* it is VALUE from the frame's address */
    CCPROF_UNWIND_REGISTER,   /* in register VALUE */
    CCPROF_UNWIND_SAVED_EXPR, /* in memory where the expression at VALUE says */
    CCPROF_UNWIND_EXPR        /* what the expression at VALUE says */
};

/* The rules at one instruction.  */
struct ccprof_unwind_rules {
    bool frame_expression;  /* the frame's address is the expression at FRAME_OFFSET */
    uint8_t frame_register; /* otherwise this register and FRAME_OFFSET */
    int64_t frame_offset;
    uint8_t how[CCPROF_CPU_REGISTERS];
    int64_t value[CCPROF_CPU_REGISTERS];
};

/* What the tables say of a function.  The pointers are to them.  */
struct ccprof_unwind_function {
    uint64_t start;
    uint64_t code_align;
    int64_t data_align;
    unsigned return_register;
    bool is_signal;        /* a signal's frame: it interrupted its caller */
    const uint8_t *common; /* instructions for all functions, with their end */
    const uint8_t *common_end;
    const uint8_t *own; /* for this one */
    const uint8_t *own_end;
};

#define CCPROF_UNWIND_REMEMBERED 4

/* Rules of the plain kind, which nearly all are, in short: the frame's address is a
   register and an offset; so many registers, the return address among them, are in memory
   at offsets from it.  */
#define CCPROF_UNWIND_SAVES 8

struct ccprof_unwind_short {
    uint64_t pc;
    uint32_t walk; /* in which it was made */
    int32_t frame_offset;
    uint8_t frame_register;
    uint8_t return_register;
    uint8_t saves;
    uint8_t number[CCPROF_UNWIND_SAVES];
    int32_t offset[CCPROF_UNWIND_SAVES];
    int32_t return_offset;
};

/* Kept for the time of a walk: a deep stack is a recursion, whose frames are of a few
   kinds.  From one walk to the next another module may have come to the same place.  */
#define CCPROF_UNWIND_SHORTS 32

/* A walk: the frame it has come to, and room to work in.  All zeros before the first
   one.  */
struct ccprof_unwind {
    uint64_t pc;
    bool exact;    /* pc is where a signal came, not a return address */
    bool broken;   /* the last step failed though the frame has a caller, for all that is
                      known: no tables tell of it, or they do not fit the stack */
    uint64_t slot; /* where pc was read, if it is a return address; 0: not known */
    uint64_t registers[CCPROF_CPU_REGISTERS];
    struct ccprof_safe_read readable;
    struct ccprof_unwind_rules rules, initial, remembered[CCPROF_UNWIND_REMEMBERED];
    uint32_t walk; /* its number */
    struct ccprof_unwind_short shorts[CCPROF_UNWIND_SHORTS];
};

/* Whether there are tables for the code at PC.  Async-signal-safe, as all that
   follows.  */
bool ccprof_unwind_knows(uint64_t pc);

/* Whether the code is the dynamic loader's: it calls constructors from code of its own
   that has no tables and no caller.  */
bool ccprof_unwind_is_loader(uint64_t pc);

/* Code of which the loader knows no tables is looked up here, from the beginning on,
   which takes its time: .eh_frame of a program linked with -static.  It stays where it
   is.  */
void ccprof_unwind_add(const uint8_t *start, const uint8_t *end);

/* Starts at what a signal interrupted; CONTEXT is the third argument of its
   handler.  */
void ccprof_unwind_start(struct ccprof_unwind *unwind, const void *context);

/* Goes on to the caller; returns false if there is none, or no way to it (BROKEN).  */
bool ccprof_unwind_step(struct ccprof_unwind *unwind);

/* From a call to where no code is, to its caller; returns false if there is none.  */
bool ccprof_unwind_undo_call(struct ccprof_unwind *unwind);

/* The parts of it, each in a file of its own.  */

/* Finds the function that holds the instruction.  */
bool ccprof_unwind_find(uint64_t pc, struct ccprof_unwind_function *function);

/* Leaves in unwind->rules those at the instruction PC of the function.  */
bool ccprof_unwind_rules(struct ccprof_unwind *unwind,
                         const struct ccprof_unwind_function *function, uint64_t pc);

/* The rules at PC in short, if this walk has been there; or null.  */
const struct ccprof_unwind_short *
ccprof_unwind_short_find(const struct ccprof_unwind *unwind, uint64_t pc);

/* Keeps unwind->rules as those at PC and returns them in short, if they are of the plain
   kind; otherwise null.  */
const struct ccprof_unwind_short *
ccprof_unwind_short_keep(struct ccprof_unwind *unwind,
                         const struct ccprof_unwind_function *function, uint64_t pc);

/* Evaluates the expression, its length first; *VALUE stands on its stack at the
   start if PUSHED, and is the result.  */
bool ccprof_unwind_expression(struct ccprof_unwind *unwind, const uint8_t *expression,
                              bool pushed, uint64_t *value);

#endif
