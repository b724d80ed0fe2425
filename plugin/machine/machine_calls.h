/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine_calls: the code that adds up inclusive instructions (machine-calls.cc). Each
   processor has a file machine_calls-NAME.cc. The code changes no register that holds a
   value, and not the stack pointer. Most of it is in *steps*, which the code calls, and
   which all units of a module share. */

#ifndef CCPROF_MACHINE_CALLS_H
#define CCPROF_MACHINE_CALLS_H

#include "plugin/machine/machine.h"

enum machine_step {
    MACHINE_STEP_BEGIN,  /* at the start of a function: opens its pair, and tests that the
                            stack pointer is in the thread's stack */
    MACHINE_STEP_OPEN,   /* directly before a call: opens its pair */
    MACHINE_STEP_CLOSE,  /* directly behind it: closes the pair if the same activation has
                            opened it */
    MACHINE_STEP_END,    /* at an end of the function: the same */
    MACHINE_STEP_ARRIVE, /* where an exception or a longjmp arrives: closes the pairs of
                            the callees */
    MACHINE_STEP_AGAIN,  /* behind a call that returns twice: if its value is not 0, the
                            same as ARRIVE */
    MACHINE_STEP_TARGET, /* before an indirect call and its OPEN, in code that has pushed
                            the address that is called: tells the runtime of it */
    MACHINE_STEP_BACK,   /* behind its CLOSE: the same */
};

/* Returns true if there is such code for the target of this compilation. */
bool machine_calls_are_possible(void);

/* Returns the code of a step for PAIR, an address for the assembler. The flags and
   registers in FREE hold no values. */
struct machine_code machine_calls_code(enum machine_step step, const char *pair,
                                       const struct machine_free *free);

/* At the end of a unit with such code: writes the steps. */
void machine_calls_emit_steps(void);

#endif
