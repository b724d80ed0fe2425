/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells tail-calls.c, and the constructs of OpenMP, whom a call in profiled code calls,
   and by which jumps control leaves a function and where to.  Each function is looked at
   when it is first asked for.  */

#ifndef MLPROF_EXITS_H
#define MLPROF_EXITS_H

#include "mlprof/program/program.h"

/* Number of no body.  */
#define EXITS_NONE UINT32_MAX

/* Where a jump leads.  */
enum exits_kind {
    EXITS_PROFILED, /* to code with tables of which something is shown */
    EXITS_OUTSIDE,  /* to other code */
    EXITS_POINTER,  /* where a word says that is not known */
    EXITS_TABLE     /* that, and it may be the function's own code */
};

struct exits_exit {
    uint64_t address; /* of the jump */
    enum exits_kind kind;
    uint32_t body;    /* that it leads to; EXITS_NONE if it leads to none */
    const char *name; /* of the function outside; NULL: not known */
    uint64_t target;  /* or where that is in this module; 0: not known */
};

/* A function's machine code, or one of its parts.  */
struct exits_body {
    uint32_t module;
    const struct unit *unit; /* UNIT and SOURCE say which function was compiled */
    uint32_t source;
    struct exits_exit *exits;
    size_t count;
};

struct exits;

/* PROFILE and PROGRAM, whose machine code is read, must live as long.  */
struct exits *exits_new(const struct profile *profile, const struct program *program);

/* EXITS may be NULL.  */
void exits_free(struct exits *exits);

/* The number of the body of the function that is called by the call which ADDRESS of a
   module is the last byte of; EXITS_NONE if it is no call, or its function is not known
   or has no tables.  */
uint32_t exits_callee(struct exits *exits, uint32_t module, uint64_t address);

/* The number of the body that ADDRESS of a module is in; EXITS_NONE if it is in none, or
   nothing is shown of what is there.  */
uint32_t exits_body(struct exits *exits, uint32_t module, uint64_t address);

/* The body, with its exits, which live as long as EXITS.  */
struct exits_body exits_of(struct exits *exits, uint32_t body);

#endif
