/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts the counts of GCC's own profile into the form that gcc -fauto-profile
   reads: by function and line, instead of by flow graph. For export/afdo.c. */

#ifndef MLPROF_AUTOPROFILE_H
#define MLPROF_AUTOPROFILE_H

#include "mlprof/base/buf.h"
#include "mlprof/flow/arccounts.h"

/* No body, position or target; the end of a chain. */
#define AUTOPROFILE_NONE UINT32_MAX

/* A function, or code that was inlined by a call in another body. */
struct autoprofile_body {
    uint32_t name;  /* index in NAMES */
    uint32_t outer; /* body that it is inlined into; AUTOPROFILE_NONE: a function */
    uint32_t place; /* place of the call, in the body around */
    unsigned depth; /* number of bodies around */
    uint64_t head;  /* of a function: number of calls */
    uint64_t first; /* of a function: arccounts_function.first */
    bool executed;  /* this body or a body inlined into it was executed */
    uint32_t inner; /* the first body inlined into this one */
    uint32_t next;  /* the next body inlined into the same body */
    uint32_t positions;
};

struct autoprofile_position {
    /* Upper bits: line, relative to the first line of the function. Lower 16 bits:
       distinguish the statements of a line. */
    uint32_t place;
    uint64_t count; /* the largest count of the blocks at this place */
    bool differs;   /* blocks of one function at this place have different counts */
    uint32_t next;  /* the next position of the body */
    uint32_t targets;
};

/* A function that the indirect call at a position called. */
struct autoprofile_target {
    uint32_t name;
    uint64_t count;
    uint32_t next; /* the next target of the position */
};

struct autoprofile {
    unsigned major;      /* major version of the GCC that compiled the objects */
    struct intern names; /* names of functions; number 0 is "" */
    struct intern files;
    uint32_t *file_of; /* by name */
    size_t file_capacity;
    /* Each body comes after the body around it. */
    BUF_VECTOR(struct autoprofile_body) bodies;
    BUF_VECTOR(struct autoprofile_position) positions;
    BUF_VECTOR(struct autoprofile_target) targets;
};

/* Fills PROFILE. The caller frees it with autoprofile_free, even after a failure.
   Returns false and sets FAULT if the objects were compiled by different major
   versions of GCC. */
bool autoprofile_make(struct autoprofile *profile, const struct arccounts *counts,
                      const char *program, struct fault *fault);

void autoprofile_free(struct autoprofile *profile);

#endif
