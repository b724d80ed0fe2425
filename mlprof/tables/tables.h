/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the tables of one executable or shared object, which say what each address means
   (doc/tables.md), for the later rooms.  Everything is checked on opening.  A function is
   decoded when it is first needed, and then kept: its copies, its points, and the point
   at each address ("Stream" and "Codes").  function.c decodes.  */

#ifndef MLPROF_TABLES_H
#define MLPROF_TABLES_H

#include "mlprof/base/buf.h"
#include "mlprof/tables/unit.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/tables/counters.h"

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

struct tables;

/* A program point.  */
struct tables_point {
    uint32_t function;
    uint32_t point; /* number in the function */
};

/* Reads the tables in the file at PATH or in its debug file.  NULL and FAULT if there are
   none, or if they are damaged.  */
struct tables *tables_open(const char *path, struct fault *fault);

/* Like tables_open, with DEBUG_ROOT in place of /usr/lib/debug for debug files.  */
struct tables *tables_open_with(const char *path, const char *debug_root,
                                struct fault *fault);

/* Opens an executable or shared object that has no tables: only its path and build-id are
   known.  */
struct tables *tables_open_bare(const char *path, struct fault *fault);

bool tables_is_bare(const struct tables *tables);

/* TABLES may be NULL.  */
void tables_close(struct tables *tables);

const char *tables_path(const struct tables *tables);

/* In hexadecimal digits; NULL: there is none.  */
const char *tables_build_id(const struct tables *tables);

/* The file holds code of the kind time-field: a sample has the local stack that was
   executed, but not whom that code has called.  */
bool tables_has_field(const struct tables *tables);

/* Sets POINT to the point at ADDRESS, as in the file; false if no profiled function is
   there.  */
bool tables_find(struct tables *tables, uint64_t address, struct tables_point *point);

/* The number of counters of calls, which are numbered from 0.  */
uint32_t tables_counter_count(const struct tables *tables);
struct tables_counter tables_counter(const struct tables *tables, uint32_t number);

/* The number of inclusive counters, which are numbered from 0.  */
uint32_t tables_inclusive_count(const struct tables *tables);
struct tables_counter tables_inclusive(const struct tables *tables, uint32_t number);

/* The file that holds the tables.  It lives as long as TABLES.  */
const struct elffile *tables_holder(const struct tables *tables);

/* The unit that starts at OFFSET in its section; NULL if there is none.  */
const struct unit *tables_unit_at(const struct tables *tables, uint32_t offset);

/* The number of units, which are numbered from 0.  */
uint32_t tables_unit_count(const struct tables *tables);
struct unit *tables_unit(struct tables *tables, uint32_t number);
const struct alloctable *tables_allocations(const struct tables *tables);
const struct typedtable *tables_types(const struct tables *tables);

/* The number of functions, which are numbered from 0.  */
uint32_t tables_function_count(const struct tables *tables);

/* The addresses of a function's code, as in the file; END is excluded.  */
void tables_function_range(const struct tables *tables, uint32_t number, uint64_t *start,
                           uint64_t *end);

/* Whether at least one point of the function has a source that was neither excluded nor
   taken out.  */
bool tables_is_profiled(struct tables *tables, uint32_t number);

/* The function with this number.  It lives as long as TABLES.  */
const struct function *tables_function(struct tables *tables, uint32_t number);

#endif
