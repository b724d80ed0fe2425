/* SPDX-License-Identifier: MIT */
/* Finds the source functions, with their positions, at an address in a module's file, by
   the tables that the plugin has written (doc/tables.md), for chains of calls and traces.
   Trusts nothing in the tables, calls nothing but mmap and munmap, and changes nothing
   after the index is made: async-signal-safe, any thread.  */

#ifndef CCPROF_SYMBOLIZE_H
#define CCPROF_SYMBOLIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/symbolize/elf-file.h"

/* The code of a function, and where the tables describe it.  */
struct ccprof_symbolize_entry {
    uint64_t start, end; /* end excluded */
    /* Bytes in the streams, which start with the function's own source.  */
    uint32_t body, size;
    uint32_t unit;  /* position of the unit in the units */
    uint32_t order; /* number of the entry in the streams */
};

struct ccprof_symbolizer {
    struct ccprof_pages strings, units, streams; /* contents of the sections */
    struct ccprof_pages index;                   /* entries, sorted by start */
    size_t count;
};

/* One source function.  The texts are in the tables.  */
struct ccprof_symbolize_frame {
    const char *name;
    const char *file;      /* null: unknown */
    uint32_t line, column; /* 0: unknown */
    bool inlined;          /* inlined into the source function that is visited next */
};

/* Makes the index of the symbolizer's sections.  Returns null, or a text that says what
   is wrong.  */
const char *ccprof_symbolize_index(struct ccprof_symbolizer *symbolizer);

void ccprof_symbolize_free(struct ccprof_symbolizer *symbolizer);

/* Visits the source functions at ADDRESS, innermost first, until VISIT returns false.
   Returns false if no table has the address, if there is no memory, or if the tables are
   wrong.  ROOM is memory that the call may enlarge; it may be passed to further calls,
   and the caller frees it.  */
typedef bool ccprof_symbolize_visit(void *context,
                                    const struct ccprof_symbolize_frame *frame);
bool ccprof_symbolize_find(const struct ccprof_symbolizer *symbolizer, uint64_t address,
                           struct ccprof_pages *room, ccprof_symbolize_visit *visit,
                           void *context);

/* The decoder, in symbolize-decode.c.  */

struct ccprof_bytes;

/* As the file of a position: the file of the copy's source.  Otherwise a number in the
   unit.  */
#define CCPROF_SYMBOLIZE_SOURCES UINT32_MAX

/* The position of a point or of a call.  LINE is relative to the line of the source,
   which counts as 0.  */
struct ccprof_symbolize_position {
    uint32_t file; /* 0: the position is unknown */
    uint32_t column;
    int64_t line;
};

struct ccprof_symbolize_copy {
    uint32_t parent, source;
    struct ccprof_symbolize_position call;
    int64_t last; /* line, as in CALL, of the point that was read last */
};

struct ccprof_symbolize_point {
    uint32_t copy;
    struct ccprof_symbolize_position position;
};

/* A function that is being read.  AT becomes the point at the offset TARGET.  */
struct ccprof_symbolize_function {
    unsigned detail; /* enum ccprof_position */
    uint64_t length; /* bytes of the code */
    uint64_t target;
    /* Room for all copies and points.  Both are null if nothing is to be kept; then the
       numbers of copies and points are not checked.  */
    struct ccprof_symbolize_copy *copies;
    struct ccprof_symbolize_point *points;
    uint32_t copy_count, point_count;
    struct ccprof_symbolize_point at;
};

/* Reads the function, from its own source on; sets the bad of BYTES if the tables are
   wrong.  */
void ccprof_symbolize_function(struct ccprof_symbolize_function *function,
                               struct ccprof_bytes *bytes);

/* The content of a unit.  */
struct ccprof_symbolize_unit {
    const struct ccprof_pages *strings;
    const uint8_t *at, *end; /* from the list of files on */
};

struct ccprof_symbolize_source {
    const char *name;
    uint32_t file, line; /* 0: unknown */
};

/* Opens the unit at OFFSET; returns false if no unit in a known format is there.  */
bool ccprof_symbolize_unit(const struct ccprof_symbolizer *symbolizer, uint64_t offset,
                           struct ccprof_symbolize_unit *unit, unsigned *detail);

bool ccprof_symbolize_source(const struct ccprof_symbolize_unit *unit, uint32_t number,
                             struct ccprof_symbolize_source *source);

/* Returns the name of file NUMBER, or null.  */
const char *ccprof_symbolize_file(const struct ccprof_symbolize_unit *unit,
                                  uint32_t number);

#endif
