/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes one function of .ccprof.code: its copies, its points, and which point each
   address is at (doc/tables.md, "Stream" and "Codes"). tables.c decodes; later rooms
   look at the result.  */

#ifndef MLPROF_FUNCTION_H
#define MLPROF_FUNCTION_H

#include "mlprof/base/pool.h"
#include "mlprof/tables/unit.h"

#define FUNCTION_NO_COPY UINT32_MAX

struct function_position {
    uint32_t file; /* number of the unit's file, 0: unknown */
    uint32_t line, column;
    uint32_t start_line, start_column; /* of the expression; column 0: no range */
    uint32_t end_line, end_column;
};

struct function_copy {
    uint32_t parent; /* number of the copy around it; less than its own */
    uint32_t source; /* 0: excluded */
    uint32_t shown;  /* the innermost copy from this one outwards that is neither excluded
                        nor taken out, FUNCTION_NO_COPY if there is none */
    uint32_t last;   /* line of the latest point read */
    struct function_position call;
};

struct function_point {
    uint32_t copy;
    struct function_position position;
};

struct function_entry {
    uint64_t offset; /* from the function's start; of equal ones the last counts */
    uint32_t point;
};

/* Starts as all zero; may be read into again and again.  */
struct function {
    const struct unit *unit;
    uint64_t size;
    struct function_copy *copies; /* 0: the function itself */
    size_t copy_count, copy_capacity;
    struct function_point *points; /* 0: the function itself at an unknown position */
    size_t point_count, point_capacity;
    struct function_entry *entries;
    size_t entry_count, entry_capacity;
};

/* Reads what follows size and gap.  Returns false if something is wrong, which
   READER then tells.  */
bool function_read(struct function *function, struct reader *reader,
                   const struct unit *unit, uint64_t size);

void function_free(struct function *function);

/* A copy that lives as long as POOL, in one piece of exact size: not to be read into, nor
   freed.  */
const struct function *function_keep(const struct function *function, struct pool *pool);

/* The number of the point at OFFSET from the start; less than the size.  */
uint32_t function_point_at(const struct function *function, uint64_t offset);

/* The offset of the entry that says so; 0 if there is none up to there.  */
uint64_t function_entry_before(const struct function *function, uint64_t offset);

/* Walks a point's local stack from the innermost source outwards.  */
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

/* The next one; false if there is none.  */
bool function_frames_next(struct function_frames *frames, struct function_frame *frame);

/* The innermost source of a point's local stack, NULL if the stack is empty.  */
const struct unit_source *function_innermost(const struct function *function,
                                             uint32_t point);

#endif
