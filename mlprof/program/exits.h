/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds, in machine code, the jumps by which control leaves a function, and the
   functions that made a call in tail position. Used by stacks-frames.c and by the
   code for OpenMP constructs. A body is the code of a function or of one of its
   fragments. A body is read when it is first used. */

#ifndef MLPROF_EXITS_H
#define MLPROF_EXITS_H

#include "mlprof/program/program.h"

/* Number that stands for "no body". */
#define EXITS_NONE UINT32_MAX

/* Kind of target of a jump. */
enum exits_kind {
    EXITS_PROFILED, /* code with tables, at least partly shown */
    EXITS_OUTSIDE,  /* other code */
    EXITS_POINTER,  /* an unknown address, read from memory */
    /* Like EXITS_POINTER, but the jump may be a `switch' that stays in the function. */
    EXITS_TABLE
};

struct exits_exit {
    uint64_t address; /* address of the jump */
    enum exits_kind kind;
    uint32_t body;    /* target body, or EXITS_NONE */
    const char *name; /* name of the target function outside; NULL: unknown */
    uint64_t target;  /* target address outside, in the same module; 0: unknown */
};

/* Machine code of a function, or of one of its fragments. */
struct exits_body {
    uint32_t module;
    const struct unit *unit; /* UNIT and SOURCE identify the source function */
    uint32_t source;
    struct exits_exit *exits;
    size_t count;
};

struct exits;

/* PROFILE and PROGRAM must live as long as the result. The machine code is read
   through PROGRAM. */
struct exits *exits_new(const struct profile *profile, const struct program *program);

/* EXITS may be NULL. */
void exits_free(struct exits *exits);

/* Returns the number of the body that contains ADDRESS. Returns EXITS_NONE if there
   is no such body, or if all of its code is hidden. */
uint32_t exits_body(struct exits *exits, uint32_t module, uint64_t address);

/* The bodies that control can reach from the first body by jumps. */
#define EXITS_REACH_MOST 64
struct exits_reach {
    uint32_t bodies[EXITS_REACH_MOST];
    size_t count;
    bool cut; /* there are more bodies, but no room for them */
};

void exits_find_reach(struct exits *exits, uint32_t first, struct exits_reach *reach);

/* Returns the index of BODY in REACH, or REACH's count if BODY is not in it. */
size_t exits_in_reach(const struct exits_reach *reach, uint32_t body);

/* Calls in tail position. If the last statement of a function calls code without
   tables, for example the C library, the compiler may replace the call by a jump. The
   function that jumped is then missing from the stack. The return address on the
   stack follows a call of the function that jumped. Therefore the machine code shows
   which functions may have jumped. */

struct tail_calls;

/* PROFILE and PROGRAM must live as long as the result. */
struct tail_calls *tail_calls_new(const struct profile *profile,
                                  const struct program *program);

/* CALLS may be NULL. */
void tail_calls_free(struct tail_calls *calls);

/* Jumps by which control may have left profiled code. All of them are in one source
   function. */
struct tail_calls_jumps {
    struct {
        uint32_t module;
        uint64_t address;
    } * jumps;
    size_t count, capacity;
};

/* Returns the jumps by which control may have reached the code of node NUMBER of the
   profile. The node must be outside of all tables. Its parent node must have called
   a function that jumped to this code, directly or through other functions. If the
   jump may be in several functions, the jumps of the called function are returned.

   Returns NULL if the parent node made the call itself, or if nothing is known. The
   result is valid until the next call. */
const struct tail_calls_jumps *tail_calls_find(struct tail_calls *calls, uint32_t number);

#endif
