/* SPDX-License-Identifier: MIT */
/* Tells ccprof's own code from the program's: the runtime's, also in a program that it is
   linked into, and that of the stub in each module.  The bounds of the runtime are
   rt/rt.ld's; a test that links parts of it has none.  */

#ifndef CCPROF_OWN_H
#define CCPROF_OWN_H

#include <stdbool.h>
#include <stdint.h>

struct ccprof_attach;

struct ccprof_own_code {
    uint64_t start, end;
};

/* The stub of a module that is being attached.  Constructor, one thread at a time.  */
void ccprof_own_add(const struct ccprof_attach *attach);

/* The piece of that number, from 0 on; false if there is none.  Async-signal-safe, as is
   the other.  */
bool ccprof_own_get(unsigned number, struct ccprof_own_code *code);

/* Whether the instruction is ccprof's.  */
bool ccprof_own_is(uint64_t address);

#endif
