/* SPDX-License-Identifier: MIT */
/* The unwinder: steps from a frame to its caller. For stack.c, the heap's walks
   (rt/heap) and chains of calls (rt/symbolize). It uses the call frame information
   that compilers write to .eh_frame (DWARF 5, 6.4; Linux Standard Base, "Exception
   Frames"). Unlike libgcc's unwinder, it trusts nothing: wrong information, or a
   stack that does not fit the information, ends the walk and not the program. It
   takes no lock, allocates nothing, and can start at any instruction. */

#ifndef CCPROF_UNWIND_H
#define CCPROF_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"
#include "rt/unwind/guess.h"

/* Ways to find the caller's value of a register. */
enum ccprof_unwind_how {
    CCPROF_UNWIND_SAME, /* unchanged */
    CCPROF_UNWIND_UNDEFINED,
    CCPROF_UNWIND_SAVED,    /* in memory at the frame's address plus VALUE */
    CCPROF_UNWIND_OFFSET,   /* the frame's address plus VALUE */
    CCPROF_UNWIND_REGISTER, /* in register VALUE */
    /* In memory at the address that the expression at VALUE computes. */
    CCPROF_UNWIND_SAVED_EXPR,
    CCPROF_UNWIND_EXPR /* the result of the expression at VALUE */
};

/* The unwind rules for one instruction. The frame's address is the canonical frame
   address of DWARF. */
struct ccprof_unwind_rules {
    bool frame_expression;  /* the frame's address is the expression at FRAME_OFFSET */
    uint8_t frame_register; /* otherwise the frame's address is this register plus
                               FRAME_OFFSET */
    int64_t frame_offset;
    uint8_t how[CCPROF_CPU_REGISTERS];
    int64_t value[CCPROF_CPU_REGISTERS];
};

/* A function in the unwind tables. The pointers point into the tables. */
struct ccprof_unwind_function {
    uint64_t start;
    uint64_t code_align;
    int64_t data_align;
    unsigned return_register;
    bool is_signal; /* this is the frame of a signal */
    /* Call frame instructions of the common entry, and their end. */
    const uint8_t *common;
    const uint8_t *common_end;
    const uint8_t *specific; /* call frame instructions of only this function */
    const uint8_t *specific_end;
};

#define CCPROF_UNWIND_REMEMBERED 4

/* Rules in a short form, which is sufficient for nearly all frames. The frame's
   address is a register plus an offset, and some registers, including the return
   address, are in memory at offsets from the frame's address. */
#define CCPROF_UNWIND_SAVES 8

struct ccprof_unwind_short {
    uint64_t pc;
    uint32_t walk; /* number of the walk that computed the rules */
    int32_t frame_offset;
    uint8_t frame_register;
    uint8_t return_register;
    uint8_t saves;
    uint8_t number[CCPROF_UNWIND_SAVES];
    int32_t offset[CCPROF_UNWIND_SAVES];
    int32_t return_offset;
};

/* Number of short rules that a walk keeps. This number is sufficient, since most
   frames of a deep stack belong to a recursion, with few different rules. They are
   valid for one walk, since another module may be loaded at the same addresses before
   the next walk. Walks of the heap keep their rules until a module is unloaded. */
#define CCPROF_UNWIND_SHORTS 32

/* Number of short rules that a walk of the heap keeps for the next walks
   (rt/heap/walk.h). */
#define CCPROF_UNWIND_MANY 1024

/* A walk: the current frame, and working memory. Must be all zeros before the first
   walk. */
struct ccprof_unwind {
    uint64_t pc;
    bool exact; /* pc is where a signal arrived, not a return address */
    /* The last step failed although the frame may have a caller: there are no tables
       for the frame, or the tables do not fit the stack. */
    bool broken;
    /* Address from which pc was read if pc is a return address; 0: unknown. */
    uint64_t slot;
    uint64_t registers[CCPROF_CPU_REGISTERS];
    /* If set, a step to a guessed caller (guess.h) goes to a mark first: PC is
       CCPROF_POINT_GUESSED, and EXACT is true. The next step goes to the caller. */
    bool marks;
    uint64_t guessed_pc, guessed_slot; /* the caller, while the walk is at the mark */
    struct ccprof_guess guess;
    struct ccprof_safe_read readable;
    struct ccprof_unwind_rules rules, initial, remembered[CCPROF_UNWIND_REMEMBERED];
    uint32_t walk; /* number of this walk */
    /* If not null, memory for CCPROF_UNWIND_MANY short rules, used instead of SHORTS. */
    struct ccprof_unwind_short *many;
    struct ccprof_unwind_short shorts[CCPROF_UNWIND_SHORTS];
};

/* Set when a walk with marks has guessed a caller. */
extern _Atomic bool ccprof_unwind_guesses;

/* Returns whether there are unwind tables for the code at PC. All functions in this
   file are async-signal-safe. */
bool ccprof_unwind_knows(uint64_t pc);

/* Returns whether the code at PC is in the dynamic loader. The loader calls
   constructors from code that has no unwind tables and no caller. */
bool ccprof_unwind_is_loader(uint64_t pc);

/* Adds an .eh_frame that the loader does not know, in a program linked with -static.
   Lookups in it are slow, since they read the entries one after the other. The
   .eh_frame must stay in memory. */
void ccprof_unwind_add(const uint8_t *start, const uint8_t *end);

/* Starts a walk at the code that a signal interrupted. CONTEXT is the third argument
   of the signal handler. */
void ccprof_unwind_start(struct ccprof_unwind *unwind, const void *context);

/* Starts a walk at a call. ccprof_cpu_caller has filled in UNWIND's registers and
   returned PC. UNWIND's READABLE must be correct now. KEEP: the rules from the last
   walk are still valid, since no module was unloaded. */
void ccprof_unwind_start_at_call(struct ccprof_unwind *unwind, uint64_t pc, bool keep);

/* Steps to the caller. Returns false at the outermost frame, and if unwinding fails
   (BROKEN). */
bool ccprof_unwind_step(struct ccprof_unwind *unwind);

/* Steps from an address without code to the code that called it. Returns false if
   there is no such code. */
bool ccprof_unwind_undo_call(struct ccprof_unwind *unwind);

/* The parts of the unwinder. ccprof_unwind_find is in unwind-tables.c; the rules and
   expressions are in unwind-rules.c. */

/* Finds the function that contains the instruction at PC. Returns false if no table
   has it. */
bool ccprof_unwind_find(uint64_t pc, struct ccprof_unwind_function *function);

/* Sets unwind->rules to the rules for the instruction at PC in the function. Returns
   false if the tables are wrong. */
bool ccprof_unwind_rules(struct ccprof_unwind *unwind,
                         const struct ccprof_unwind_function *function, uint64_t pc);

/* Returns the short rules for PC if this walk has computed them, otherwise null. */
const struct ccprof_unwind_short *ccprof_unwind_short_find(struct ccprof_unwind *unwind,
                                                           uint64_t pc);

/* Evaluates the expression, which begins with its length, and stores the result in
   *VALUE. If PUSHED is true, *VALUE is on the expression's stack at the start.
   Returns false if the expression is wrong. */
bool ccprof_unwind_expression(struct ccprof_unwind *unwind, const uint8_t *expression,
                              bool pushed, uint64_t *value);

#endif
