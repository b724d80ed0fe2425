/* SPDX-License-Identifier: MIT */
/* Tells ccprof's own code from the program's, for the handler and the writer of
   mlmon.out.  Ccprof's code is the runtime, even one linked into the program, and the
   stub in each module.  rt/rt.ld defines the bounds of the runtime; a test that links
   only parts of the runtime has none.  */

#ifndef CCPROF_OWN_H
#define CCPROF_OWN_H

#include <stdbool.h>
#include <stdint.h>

struct ccprof_attach;

struct ccprof_own_code {
    uint64_t start, end;
};

/* Adds the stub of a module that is being attached.  Constructor, one thread at a
   time.  */
void ccprof_own_add(const struct ccprof_attach *attach);

/* Gives piece NUMBER, from 0 on, of ccprof's code; returns false if there is no such
   piece.  Async-signal-safe, as is ccprof_own_is.  */
bool ccprof_own_get(unsigned number, struct ccprof_own_code *code);

/* Returns whether the instruction at ADDRESS is ccprof's.  */
bool ccprof_own_is(uint64_t address);

#endif
