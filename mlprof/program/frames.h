/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the local stack at an address, or what several addresses have in common of
   theirs, for the files stacks*.c.  */

#ifndef MLPROF_FRAMES_H
#define MLPROF_FRAMES_H

#include "mlprof/program/program.h"

/* Starts as all zero; may be read into again and again.  */
struct frames {
    uint32_t module;
    uint32_t number;  /* of the function */
    uint64_t address; /* 0: of several */
    const struct function *function;
    struct function_frame *list; /* the outermost one first */
    size_t count, capacity;
};

void frames_free(struct frames *frames);

/* Reads the frames at ADDRESS of a module of the program; false if there are none.  */
bool frames_read(struct frames *frames, const struct program *program, uint32_t module,
                 uint64_t address);

/* The same where the POINT of the tables at ADDRESS is known.  */
bool frames_read_at(struct frames *frames, const struct program *program, uint32_t module,
                    uint64_t address, const struct tables_point *point);

/* Keeps what OTHER has, too.  Where the positions differ the innermost one has none.  */
void frames_keep(struct frames *frames, const struct frames *other);

#endif
