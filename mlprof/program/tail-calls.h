/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the functions that have made a call in tail position, for stacks-frames.c.  A
   function whose last act is a call of code without tables, the C library's for example,
   jumps to that code and is then on no stack.  The return address of the called code is
   still behind the call of the function that jumped; the machine code tells the rest.  */

#ifndef MLPROF_TAIL_CALLS_H
#define MLPROF_TAIL_CALLS_H

#include "mlprof/program/program.h"

struct tail_calls;

/* PROFILE and PROGRAM must live as long as the result.  */
struct tail_calls *tail_calls_new(const struct profile *profile,
                                  const struct program *program);

/* CALLS may be NULL.  */
void tail_calls_free(struct tail_calls *calls);

/* The jumps by which a function may have left.  All of them are in one source
   function.  */
struct tail_calls_jumps {
    uint32_t *modules; /* by jump */
    uint64_t *addresses;
    size_t count, module_capacity, address_capacity;
};

/* For the profile's point NUMBER, which is outside of all tables: the jumps by which
   control came there, if the point above called a function that jumped there, or that
   went on in another function which jumped there.  If several functions may have jumped,
   the result is the jumps of the function that was called.  NULL if the point above made
   the call itself, or if nothing is known.  The result lives until the next call.  */
const struct tail_calls_jumps *tail_calls_find(struct tail_calls *calls, uint32_t number);

#endif
