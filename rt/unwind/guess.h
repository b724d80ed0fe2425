/* SPDX-License-Identifier: MIT */
/* Guesses the caller of code without unwind tables, such as assembly. The guess runs
   the code in thought, from the current instruction to the function's return. It only
   tracks the registers and the words of the stack that are copied, saved and restored,
   so that it knows the stack pointer and the preserved registers at the return. Of a
   conditional branch it takes the way that reaches a return first. The result is used
   only if the return address is behind a call. guess.c has the search, and a file
   guess-NAME.c for each processor runs one instruction. Code and stack are read only
   where the kernel has said that they are readable. Async-signal-safe; called by
   unwind.c only. */

#ifndef CCPROF_GUESS_H
#define CCPROF_GUESS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/memory.h"
#include "rt/unwind/cpu.h"

/* A point that the search has reached. */
struct ccprof_guess_state {
    uint64_t pc;
    uint64_t registers[CCPROF_CPU_REGISTERS]; /* as in struct ccprof_unwind */
    unsigned stores;                          /* number of words stored by then */
    uint64_t slot; /* where the return address is in memory; 0: nowhere */
};

#define CCPROF_GUESS_BRANCHES 8
#define CCPROF_GUESS_JUMPS    32
#define CCPROF_GUESS_STORES   32

/* Words are read from the stack only up to this distance above the stack pointer, and
   in the red zone below it. */
#define CCPROF_GUESS_ABOVE (UINT64_C(1) << 20)
#define CCPROF_GUESS_BELOW 128

struct ccprof_guess {
    struct ccprof_safe_read *readable;
    uint64_t stack; /* the stack pointer at the start */
    bool exact;     /* the start is where a signal arrived */
    struct ccprof_guess_state now;
    uint64_t target; /* where a jump or branch goes, or the return address */
    /* Branches not taken yet, the last one first, and targets of jumps. */
    struct ccprof_guess_state branch[CCPROF_GUESS_BRANCHES];
    uint64_t jump[CCPROF_GUESS_JUMPS];
    unsigned branches, jumps;
    /* Words that the code would store into the stack. */
    struct {
        uint64_t address, value;
    } store[CCPROF_GUESS_STORES];
};

enum ccprof_guess_next {
    CCPROF_GUESS_ON,     /* with the next instruction */
    CCPROF_GUESS_BRANCH, /* or at TARGET */
    CCPROF_GUESS_JUMP,
    CCPROF_GUESS_RETURN,
    CCPROF_GUESS_UNKNOWN, /* a jump to an unknown address */
    CCPROF_GUESS_END
};

/* Finds the caller of the code at PC with these registers. The caller sets READABLE and
   EXACT. NOW becomes the state after the return. If the code jumps to code with unwind
   tables, NOW is the state at this code, and *JUMPED is set. Returns false if no caller
   is found. */
bool ccprof_guess_caller(struct ccprof_guess *guess, const uint64_t *registers,
                         uint64_t pc, bool *jumped);

/* For each processor: runs the instruction at NOW. */
enum ccprof_guess_next ccprof_guess_run(struct ccprof_guess *guess);

/* For each processor: returns whether there is a call just before ADDRESS. */
bool ccprof_guess_is_after_call(struct ccprof_safe_read *readable, uint64_t address);

/* For guess-NAME.c: reads a word of the stack, or 0 if there is none; stores one. */
static inline uint64_t ccprof_guess_load(const struct ccprof_guess *guess,
                                         uint64_t address)
{
    uint64_t value;

    for (unsigned i = guess->now.stores; i-- > 0;)
        if (guess->store[i].address == address)
            return guess->store[i].value;
    return address - guess->stack + CCPROF_GUESS_BELOW < CCPROF_GUESS_ABOVE &&
                   ccprof_safe_read(guess->readable, address, &value)
               ? value
               : 0;
}

static inline void ccprof_guess_store(struct ccprof_guess *guess, uint64_t address,
                                      uint64_t value)
{
    if (guess->now.stores == CCPROF_GUESS_STORES)
        return;
    guess->store[guess->now.stores].address = address;
    guess->store[guess->now.stores++].value = value;
}

#endif
