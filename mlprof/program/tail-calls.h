/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the functions that have made a call in tail position, for stacks-frames.c.  A
   function whose last act is a call of code without tables, the C library's for example,
   jumps there and is on no stack any more.  The return address that the called code has
   is still behind the call of that function; the machine code tells the rest.  */

#ifndef MLPROF_TAIL_CALLS_H
#define MLPROF_TAIL_CALLS_H

#include "mlprof/program/program.h"

struct tail_calls;

/* PROFILE and PROGRAM must live as long.  */
struct tail_calls *tail_calls_new(const struct profile *profile,
                                  const struct program *program);

/* CALLS may be NULL.  */
void tail_calls_free(struct tail_calls *calls);

/* The jumps by which a function has gone, one of them or another: all are in the
   same function as it was written.  */
struct tail_calls_jumps {
    uint32_t *modules; /* by jump */
    uint64_t *addresses;
    size_t count, module_capacity, address_capacity;
};

/* For a point NUMBER of the profile that is outside of all tables: the jumps of the
   function that went there, if the point above called a function that did so, or that
   went on in another one which did.  If that may have been several, those of the function
   called. NULL: the point above called it itself, or nothing is known.  They live until
   the next call.  */
const struct tail_calls_jumps *tail_calls_find(struct tail_calls *calls, uint32_t number);

#endif
