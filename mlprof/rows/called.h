/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inclusive instructions by source: joins the calls and functions of profile/called.h
   with the tables. Used by rows.c, and by export/ for its calls. */

#ifndef MLPROF_ROWS_CALLED_H
#define MLPROF_ROWS_CALLED_H

#include "mlprof/profile/profile.h"
#include "mlprof/program/program.h"
#include "mlprof/stacks/stacks.h"

/* What CALLER executed in CALLEE and its callees by one call instruction: the callee is
   called by it, or is inlined around it. */
struct rows_call {
    uint32_t caller, callee; /* sources of the stacks; callee STACKS_NONE: not known */
    bool inlined;
    uint32_t line; /* in the caller's own file; 0: not known */
    uint32_t module;
    uint64_t address; /* of the call instruction */
    uint64_t count;   /* of calls, if not INLINED */
    uint64_t amount;
    uint64_t part; /* of AMOUNT, with cycles divided (profile/called.h) */
};

/* What the total of SOURCE is more than the instructions of its code and of code inlined
   in it. */
struct rows_called_more {
    uint32_t source;
    uint64_t amount;
};

/* What the function of SOURCE that starts at an address executed for callers that are not
   known (profile/called.h). */
struct rows_called_outside {
    uint32_t source;
    uint32_t module;
    uint64_t start;
    uint64_t amount;
};

/* Starts as all zero. */
struct rows_called {
    BUF_VECTOR(struct rows_call) calls;
    BUF_VECTOR(struct rows_called_more) more;
    BUF_VECTOR(struct rows_called_outside) outside;
};

/* Adds the calls of PROFILE. May add sources to STACKS. A source that is inlined in
   several places, or recursive, may have more in sum than it has executed, because one of
   its copies may have called another one. */
void rows_called_find(struct rows_called *called, struct stacks *stacks,
                      const struct profile *profile, const struct program *program);
void rows_called_free(struct rows_called *called);

#endif
