/* SPDX-License-Identifier: MIT */
/* The symbolizer: finds the source functions and positions at an address in a module's
   file, with the tables that the plugin has written (doc/tables.md). For chains of
   calls and traces. Trusts nothing in the tables. Calls only mmap and munmap, and
   changes nothing after the index is made, so it is async-signal-safe and may be
   called in any thread. */

#ifndef CCPROF_SYMBOLIZE_H
#define CCPROF_SYMBOLIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/symbolize/elf-file.h"

/* The code of a function, and the location of its description in the tables. */
struct ccprof_symbolize_entry {
    uint64_t start, end; /* end excluded */
    /* Offset and size of the description in the streams. The description begins with
       the function's own source. */
    uint32_t body, size;
    uint32_t unit;  /* offset of the unit in the units */
    uint32_t order; /* index of the description in the streams */
};

struct ccprof_symbolizer {
    struct ccprof_pages strings, units, streams; /* contents of the sections */
    struct ccprof_pages index;                   /* entries, sorted by start */
    size_t count;
};

/* One source function. The strings are in the tables. */
struct ccprof_symbolize_frame {
    const char *name;
    const char *file;      /* null: unknown */
    uint32_t line, column; /* 0: unknown */
    bool inlined;          /* inlined into the source function visited next */
};

/* Makes the index for the symbolizer's sections. Returns null, or a text with the
   error. */
const char *ccprof_symbolize_index(struct ccprof_symbolizer *symbolizer);

void ccprof_symbolize_free(struct ccprof_symbolizer *symbolizer);

/* Calls VISIT for the source functions at ADDRESS, innermost first, until VISIT
   returns false. Returns false if no table has the address, if there is no memory, or
   if the tables are wrong. ROOM is working memory, which the call may enlarge. It
   may be passed to further calls, and the caller frees it. */
typedef bool ccprof_symbolize_visit(void *context,
                                    const struct ccprof_symbolize_frame *frame);
bool ccprof_symbolize_find(const struct ccprof_symbolizer *symbolizer, uint64_t address,
                           struct ccprof_pages *room, ccprof_symbolize_visit *visit,
                           void *context);

/* The decoder, in symbolize-decode.c. */

struct ccprof_bytes;

/* The FILE of a position that is in the file of the copy's source. Other values are
   numbers of files in the unit. */
#define CCPROF_SYMBOLIZE_SOURCES UINT32_MAX

/* The position of a point or of a call. LINE is relative to the line of the source
   function. */
struct ccprof_symbolize_position {
    uint32_t file; /* 0: the position is unknown */
    uint32_t column;
    int64_t line;
};

struct ccprof_symbolize_copy {
    uint32_t parent, source;
    struct ccprof_symbolize_position call;
    int64_t last; /* line of the last point read, relative as in CALL */
};

struct ccprof_symbolize_point {
    uint32_t copy;
    struct ccprof_symbolize_position position;
};

/* A function that is being read. POINT is set to the point at the offset TARGET. */
struct ccprof_symbolize_function {
    unsigned detail; /* enum ccprof_position */
    uint64_t length; /* size of the code in bytes */
    uint64_t target;
    /* Memory for all copies and points. If both are null, nothing is stored, and the
       numbers of copies and points are not checked. */
    struct ccprof_symbolize_copy *copies;
    struct ccprof_symbolize_point *points;
    uint32_t copy_count, point_count;
    struct ccprof_symbolize_point point;
};

/* Reads the function, beginning with its own source. Sets BYTES->bad if the tables
   are wrong. */
void ccprof_symbolize_function(struct ccprof_symbolize_function *function,
                               struct ccprof_bytes *bytes);

/* The content of a unit. */
struct ccprof_symbolize_unit {
    const struct ccprof_pages *strings;
    const uint8_t *start, *end; /* begins with the list of files */
};

struct ccprof_symbolize_source {
    const char *name;
    uint32_t file, line; /* 0: unknown */
};

/* Opens the unit at OFFSET. Returns false if there is no unit in a known format. */
bool ccprof_symbolize_unit(const struct ccprof_symbolizer *symbolizer, uint64_t offset,
                           struct ccprof_symbolize_unit *unit, unsigned *detail);

bool ccprof_symbolize_source(const struct ccprof_symbolize_unit *unit, uint32_t number,
                             struct ccprof_symbolize_source *source);

/* Returns the name of the file NUMBER, or null. */
const char *ccprof_symbolize_file(const struct ccprof_symbolize_unit *unit,
                                  uint32_t number);

#endif
