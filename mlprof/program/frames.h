/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the local stack at an address, or the part that the local stacks at several
   addresses have in common, for the files stacks*.c.  */

#ifndef MLPROF_FRAMES_H
#define MLPROF_FRAMES_H

#include "mlprof/program/program.h"

/* Starts as all zero.  May be filled again and again.  */
struct frames {
    uint32_t module;
    uint32_t number;  /* number of the function in the module's tables */
    uint64_t address; /* 0: the frames are those of several addresses */
    const struct function *function;
    struct function_frame *list; /* the outermost frame first */
    size_t count, capacity;
};

void frames_free(struct frames *frames);

/* Reads the frames at ADDRESS of a module of the program; false if there are none.  */
bool frames_read(struct frames *frames, const struct program *program, uint32_t module,
                 uint64_t address);

/* Like frames_read, where the POINT of the tables at ADDRESS is known already.  */
bool frames_read_at(struct frames *frames, const struct program *program, uint32_t module,
                    uint64_t address, const struct tables_point *point);

/* Keeps only the outermost frames that both have in common.  If the positions in the last
   of them differ, it has no position.  */
void frames_keep(struct frames *frames, const struct frames *other);

/* Finds the machine code that an allocation site stands for.  The tables describe the
   storage of a function's sites as if it were code (doc/tables.md, "Allocation sites").
   The machine code of a site is the code of the same source in the same unit, with the
   same copies inlined in each other, and with the call at the same position.  */
struct site_code;

/* PROGRAM must live as long as the result.  */
struct site_code *site_code_new(const struct program *program);

/* Replaces the function and point of a site in MODULE by those of its machine code.
   Returns false, and changes nothing, if there is no such code, or if several clones of
   one function have it.  */
bool site_code_find(struct site_code *sites, uint32_t module, uint32_t *function,
                    uint32_t *point);

void site_code_free(struct site_code *sites);

#endif
