/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the tables of one executable or shared object, which describe each address of
   its code (doc/tables.md). Used by all later rooms. All tables are checked when they
   are opened. A function is decoded when it is first used, and the result is kept: its
   copies, its points, and the point at each address ("Stream" and "Codes"). function.c
   decodes functions. */

#ifndef MLPROF_TABLES_H
#define MLPROF_TABLES_H

#include "mlprof/base/buf.h"
#include "mlprof/tables/unit.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/tables/counters.h"
#include "mlprof/tables/remarktable.h"

#define FUNCTION_NO_COPY UINT32_MAX

struct function_position {
    uint32_t file; /* number in the unit; 0: unknown */
    uint32_t line, column;
    /* The start and end of the expression; if the columns are 0, the range is unknown. */
    uint32_t start_line, start_column;
    uint32_t end_line, end_column;
};

struct function_copy {
    uint32_t parent; /* number of the enclosing copy, less than its own */
    uint32_t source; /* 0: excluded */
    /* The innermost copy that is shown, starting at this copy and going outwards: its
       source is neither excluded by the plugin nor removed by the report.
       FUNCTION_NO_COPY: none. */
    uint32_t shown;
    uint32_t last; /* line of the last point read */
    struct function_position call;
};

struct function_point {
    uint32_t copy;
    struct function_position position;
};

struct function_entry {
    /* Distance from the function's start. If several entries have the same offset,
       only the last of them is valid. */
    uint64_t offset;
    uint32_t point;
};

/* Starts as all zero, and may be reused. */
struct function {
    const struct unit *unit;
    uint64_t size;
    BUF_VECTOR(struct function_copy) copies; /* copy 0 is the function itself */
    /* Point 0 is the function itself at an unknown position. */
    BUF_VECTOR(struct function_point) points;
    BUF_VECTOR(struct function_entry) entries;
};

/* Reads a function after its size and gap. On an error returns false and sets the
   error of READER. */
bool function_read(struct function *function, struct reader *reader,
                   const struct unit *unit, uint64_t size);

void function_free(struct function *function);

/* Returns a copy of FUNCTION in one piece of memory from POOL. It must not be freed or
   passed to function_read. */
const struct function *function_keep(const struct function *function, struct pool *pool);

/* Returns the number of the point at OFFSET from the function's start. OFFSET is less
   than the size. */
uint32_t function_point_at(const struct function *function, uint64_t offset);

/* Returns the offset of the entry that determines the point at OFFSET; 0 if there is
   no entry at or before OFFSET. */
uint64_t function_entry_before(const struct function *function, uint64_t offset);

/* An iterator over a point's local stack, from the innermost source outwards. */
struct function_frames {
    const struct function *function;
    uint32_t copy;
    struct function_position position;
};

struct function_frame {
    uint32_t copy;
    const struct unit_source *source;
    struct function_position
        position; /* position of the point or, in outer frames, of the call */
};

struct function_frames function_frames(const struct function *function, uint32_t point);

/* Sets *FRAME to the next frame. Returns false if there are no more. */
bool function_frames_next(struct function_frames *frames, struct function_frame *frame);

/* Returns the innermost source of a point's local stack; NULL if the stack is empty. */
const struct unit_source *function_innermost(const struct function *function,
                                             uint32_t point);

struct tables;

/* A program point. */
struct tables_point {
    uint32_t function;
    uint32_t point; /* number in the function */
};

/* Reads the tables in the file at PATH or in its debug file. If there are none, or if
   they are damaged, returns NULL and sets FAULT. */
struct tables *tables_open(const char *path, struct fault *fault);

/* Opens an executable or shared object without tables: only its path and build ID are
   known. */
struct tables *tables_open_bare(const char *path, struct fault *fault);

bool tables_is_bare(const struct tables *tables);

/* Closes TABLES, which may be NULL. */
void tables_close(struct tables *tables);

const char *tables_path(const struct tables *tables);

/* Returns the build ID in hexadecimal digits; NULL if there is none. */
const char *tables_build_id(const struct tables *tables);

/* Returns whether the file has code of the kind time-field. For such code, a sample
   has the executed local stack, but not the functions called from it. */
bool tables_has_field(const struct tables *tables);

/* Sets POINT to the point at ADDRESS, an address in the file. Returns false if there
   is no profiled function at ADDRESS. */
bool tables_find(struct tables *tables, uint64_t address, struct tables_point *point);

/* Return the counters of calls, and the inclusive counters. */
const struct tables_counters *tables_calls(const struct tables *tables);
const struct tables_counters *tables_inclusive(const struct tables *tables);

/* Returns the file that contains the tables: the program or its debug file. It lives
   as long as TABLES. */
const struct elffile *tables_holder(const struct tables *tables);

/* Returns the unit that starts at OFFSET in its section; NULL if there is none. */
const struct unit *tables_unit_at(const struct tables *tables, uint32_t offset);

/* The first function returns the number of units. The second function returns a unit
   by its number, from 0. */
uint32_t tables_unit_count(const struct tables *tables);
struct unit *tables_unit(struct tables *tables, uint32_t number);
const struct alloctable *tables_allocations(const struct tables *tables);
const struct typedtable *tables_types(const struct tables *tables);
const struct remarktable *tables_remarks(const struct tables *tables);

/* Returns the number of functions, which are numbered from 0. */
uint32_t tables_function_count(const struct tables *tables);

/* Sets the address range of a function's code, as in the file; END is excluded. */
void tables_function_range(const struct tables *tables, uint32_t number, uint64_t *start,
                           uint64_t *end);

/* Returns whether the function has at least one point that is shown: its source was
   neither excluded by the plugin nor removed by the report. */
bool tables_is_profiled(struct tables *tables, uint32_t number);

/* Returns the function with this number. The function lives as long as TABLES. */
const struct function *tables_function(struct tables *tables, uint32_t number);

#endif
