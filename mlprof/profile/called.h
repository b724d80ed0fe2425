/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inclusive instructions (kind instructions with the argument stack): what each call and
   each compiled function executed, with all callees. Recursion counts once per function
   and per call. flow/instructions.c fills it, rows/ and export/ use it. */

#ifndef MLPROF_CALLED_H
#define MLPROF_CALLED_H

#include "mlprof/base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/* The calls of one function by a call instruction. */
struct profile_called_call {
    uint32_t module, target_module;
    uint64_t address; /* of the call instruction */
    uint64_t target;  /* the function; 0: not known */
    size_t caller;    /* index of its function */
    bool tail;        /* a jump in tail position: AMOUNT is 0 */
    uint64_t count, amount;
    /* Of AMOUNT, as profile_called_divide has divided its function's instructions. */
    uint64_t part;
};

/* A compiled function that was executed. */
struct profile_called_function {
    uint32_t module;
    uint64_t start;
    uint64_t self; /* instructions of its code, with what is inlined in it */
    uint64_t all;  /* with all callees */
    /* Of ALL, what no known call executed: the start of a thread, a signal handler, or a
       function called through a pointer, from another module or by a jump. */
    uint64_t outside;
};

/* Starts as all zero. */
struct profile_called {
    bool any; /* the program was compiled so */
    BUF_VECTOR(struct profile_called_call) calls;
    BUF_VECTOR(struct profile_called_function) functions;
};

/* Sets the parts of all calls and what came from outside. A function's SELF and the parts
   of its calls are at most ALL. The parts are the amounts, except in a cycle of calls:
   there, a call may contain other calls of the same function, so the calls of the cycle
   get what the others leave of ALL, in proportion to their amounts. Jumps in tail
   position get what calls leave of their target's ALL, in proportion to their numbers;
   the ALL of a function ends at such a jump. */
void profile_called_divide(struct profile_called *called);

/* Returns FRACTION / WHOLE of AMOUNT; FRACTION is at most WHOLE, which is not 0. */
static inline uint64_t profile_called_share(uint64_t amount, uint64_t fraction,
                                            uint64_t whole)
{
    return (uint64_t)((unsigned __int128)amount * fraction / whole);
}

#endif
