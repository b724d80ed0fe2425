/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine_calls: the code at calls, which adds up inclusive instructions (machine-calls.cc).
   Each processor has a file machine_calls-NAME.cc. The code changes no register that holds
   a value, and not the stack pointer. Most of it is shared by a module: *steps*, which the
   code calls.

   A *list* is three words in read-only memory: the distance to the function's pairs (8
   bytes), and the distance from these to the pair of a call (4 bytes). */

#ifndef CCPROF_MACHINE_CALLS_H
#define CCPROF_MACHINE_CALLS_H

#include "plugin/machine/machine.h"

enum machine_step {
    MACHINE_STEP_OPEN,  /* directly before a call: enters the function and the call */
    MACHINE_STEP_CLOSE, /* directly behind it: leaves both, and entries that are left over */
    MACHINE_STEP_CUT,   /* where an exception or a longjmp arrives: leaves all entries of the
                           function and of its callees, then does the same as BEGIN */
    MACHINE_STEP_BEGIN, /* at the start of the function: an inner activation counts its own
                           instructions */
    MACHINE_STEP_END,   /* at its end: no longer */
};

/* Returns true if there is such code for the target of this compilation. */
bool machine_calls_are_possible(void);

/* Returns the code of a step. LIST is the label of the list, PAIRS of the function's
   pairs. The flags and registers in FREE hold no values. */
struct machine_code machine_calls_code(enum machine_step step, const char *list,
                                       const char *pairs, const struct machine_free *free);

/* At the end of a unit with such code: writes the steps. */
void machine_calls_emit_steps(void);

#endif
