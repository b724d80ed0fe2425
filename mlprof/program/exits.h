/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds by which jumps control leaves a function, and the functions that made a call in
   tail position, from machine code.  For stacks-frames.c and the constructs of OpenMP.  A
   body, the code of a function or of one of its parts, is read when it is first needed.
 */

#ifndef MLPROF_EXITS_H
#define MLPROF_EXITS_H

#include "mlprof/program/program.h"

/* The number of no body.  */
#define EXITS_NONE UINT32_MAX

/* Where a jump leads.  */
enum exits_kind {
    EXITS_PROFILED, /* to code with tables, some of which is shown */
    EXITS_OUTSIDE,  /* to other code */
    EXITS_POINTER,  /* to an address that a word in memory holds, which is not known */
    /* Likewise, and the jump may be a `switch' that stays in the function.  */
    EXITS_TABLE
};

struct exits_exit {
    uint64_t address; /* of the jump */
    enum exits_kind kind;
    uint32_t body;    /* the body that the jump leads to, or EXITS_NONE */
    const char *name; /* the function outside; NULL: not known */
    uint64_t target;  /* the address outside, in this module; 0: not known */
};

/* The machine code of a function, or of one of its parts.  */
struct exits_body {
    uint32_t module;
    const struct unit *unit; /* UNIT and SOURCE say which function was compiled */
    uint32_t source;
    struct exits_exit *exits;
    size_t count;
};

struct exits;

/* PROFILE and PROGRAM, whose machine code is read, must live as long as the result.  */
struct exits *exits_new(const struct profile *profile, const struct program *program);

/* EXITS may be NULL.  */
void exits_free(struct exits *exits);

/* The number of the body around ADDRESS of a module.  EXITS_NONE if there is none, or if
   nothing is shown of the code there.  */
uint32_t exits_body(struct exits *exits, uint32_t module, uint64_t address);

/* The bodies that control may reach by jumps from the first one.  */
#define EXITS_REACH_MOST 64
struct exits_reach {
    uint32_t bodies[EXITS_REACH_MOST];
    size_t count;
    bool cut; /* there are more, which are left out */
};

void exits_find_reach(struct exits *exits, uint32_t first, struct exits_reach *reach);

/* The index of BODY in REACH; its count: it is not there.  */
size_t exits_in_reach(const struct exits_reach *reach, uint32_t body);

/* Calls in tail position.  If the last act of a function is a call of code without
   tables, for example of the C library, the function jumps to that code and is then on no
   stack. The return address is behind the call of the function that jumped, so the
   machine code says which functions may have jumped.  */

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
