/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arranges what was counted of GCC's own profile as gcc -fauto-profile looks for it, by
   functions and lines in place of flow graphs, for export/afdo.c.  */

#ifndef MLPROF_AUTOPROFILE_H
#define MLPROF_AUTOPROFILE_H

#include "mlprof/flow/arccounts.h"

/* No body, position or target; the end of a chain.  */
#define AUTOPROFILE_NONE UINT32_MAX

/* A function, or what was inlined by a call in another body.  */
struct autoprofile_body {
    uint32_t name;   /* number in NAMES */
    uint32_t around; /* AUTOPROFILE_NONE: a function */
    uint32_t place;  /* of the call, in the body around */
    unsigned depth;  /* how many bodies are around */
    uint64_t head;   /* of a function: how often it was called */
    uint64_t first;  /* arccounts_function.first, of a function */
    bool executed;   /* the body, or what was inlined into it */
    uint32_t inner;  /* the first body that was inlined into it */
    uint32_t next;   /* of those that are inlined into the same one */
    uint32_t positions;
};

struct autoprofile_position {
    uint32_t place; /* the lines from the function's first one, and 16 bits below that
                       tell statements of a line apart */
    uint64_t count; /* the largest one of the blocks that stand there */
    bool differs;   /* from others of them, in one function */
    uint32_t next;  /* of the body */
    uint32_t targets;
};

/* A function that the call by a pointer at a position called.  */
struct autoprofile_target {
    uint32_t name;
    uint64_t count;
    uint32_t next; /* of the position */
};

struct autoprofile {
    unsigned major;      /* of GCC, whose objects they are */
    struct intern names; /* of functions; 0 is "" */
    struct intern files;
    uint32_t *file_of; /* by name */
    size_t file_capacity;
    struct autoprofile_body *bodies; /* each behind that around it */
    size_t body_count, body_capacity;
    struct autoprofile_position *positions;
    size_t position_count, position_capacity;
    struct autoprofile_target *targets;
    size_t target_count, target_capacity;
};

/* Fills PROFILE, which autoprofile_free frees in any case.  False and FAULT if objects
   are of different versions of GCC.  */
bool autoprofile_make(struct autoprofile *profile, const struct arccounts *counts,
                      const char *program, struct fault *fault);

void autoprofile_free(struct autoprofile *profile);

#endif
