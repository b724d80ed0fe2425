/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inclusive instructions (kind instructions with the argument stack): what each call and
   each compiled function executed, with all callees. Recursion counts once per function
   and per call. flow/instructions.c fills it, rows/ and export/ use it. */

#ifndef MLPROF_CALLED_H
#define MLPROF_CALLED_H

#include "mlprof/base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/* A call instruction that was executed. */
struct profile_called_call {
    uint32_t module;
    uint64_t address; /* of the call instruction */
    uint64_t target;  /* of a direct call, in the same module; 0: not known */
    uint64_t count, amount;
};

/* A compiled function that was executed. */
struct profile_called_function {
    uint32_t module;
    uint64_t start;
    uint64_t self; /* instructions of its code, with what is inlined in it */
    uint64_t all;  /* with all callees */
};

/* Starts as all zero. */
struct profile_called {
    bool any; /* the program was compiled so */
    /* Instructions of blocks of which the compiler saw another number than there are:
       amounts that contain them are not exact. */
    uint64_t inexact;
    BUF_VECTOR(struct profile_called_call) calls;
    BUF_VECTOR(struct profile_called_function) functions;
};

#endif
