/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes one function of .ccprof.code: its copies, its points, and which point each
   address is at (doc/tables.md, "Stream" and "Codes").  tables.c decodes; later rooms
   read the result.  */

#ifndef MLPROF_FUNCTION_H
#define MLPROF_FUNCTION_H

#include "mlprof/base/buf.h"
#include "mlprof/tables/unit.h"

#define FUNCTION_NO_COPY UINT32_MAX

struct function_position {
    uint32_t file; /* number in the unit; 0: unknown */
    uint32_t line, column;
    /* Where the expression starts; column 0: there is no range.  */
    uint32_t start_line, start_column;
    uint32_t end_line, end_column;
};

struct function_copy {
    uint32_t parent; /* number of the copy around it, which is less than its own */
    uint32_t source; /* 0: excluded */
    /* The innermost copy, from this one outwards, that is neither excluded nor taken out;
       FUNCTION_NO_COPY: there is none.  */
    uint32_t shown;
    uint32_t last; /* the line of the point read last */
    struct function_position call;
};

struct function_point {
    uint32_t copy;
    struct function_position position;
};

struct function_entry {
    /* From the function's start; of several entries at one offset the last counts.  */
    uint64_t offset;
    uint32_t point;
};

/* Starts as all zero.  May be filled again and again.  */
struct function {
    const struct unit *unit;
    uint64_t size;
    struct function_copy *copies; /* copy 0 is the function itself */
    size_t copy_count, copy_capacity;
    /* Point 0 is the function itself at an unknown position.  */
    struct function_point *points;
    size_t point_count, point_capacity;
    struct function_entry *entries;
    size_t entry_count, entry_capacity;
};

/* Reads what stands behind the size and gap of a function.  Returns false if something is
   wrong; READER then says what.  */
bool function_read(struct function *function, struct reader *reader,
                   const struct unit *unit, uint64_t size);

void function_free(struct function *function);

/* A copy in one piece, which lives as long as POOL.  It must not be freed or read
   into.  */
const struct function *function_keep(const struct function *function, struct pool *pool);

/* The number of the point at OFFSET, which is less than the size, from the function's
   start.  */
uint32_t function_point_at(const struct function *function, uint64_t offset);

/* The offset of the entry that gives the point at OFFSET; 0 if there is no entry
   before.  */
uint64_t function_entry_before(const struct function *function, uint64_t offset);

/* A walk over a point's local stack from the innermost source outwards.  */
struct function_frames {
    const struct function *function;
    uint32_t copy;
    struct function_position position;
};

struct function_frame {
    uint32_t copy;
    const struct unit_source *source;
    struct function_position position; /* of the point, or of the call in this source */
};

struct function_frames function_frames(const struct function *function, uint32_t point);

/* Goes to the next frame; false if there is none.  */
bool function_frames_next(struct function_frames *frames, struct function_frame *frame);

/* The innermost source of a point's local stack; NULL if the stack is empty.  */
const struct unit_source *function_innermost(const struct function *function,
                                             uint32_t point);

#endif
