/* SPDX-License-Identifier: MIT */
/* Finds the source functions at work at an address in a module's file, and their
   positions, by the tables that the plugin has written (doc/tables.md), for chains of
   calls and traces.  Trusts nothing in them, calls nothing but mmap and munmap, and
   changes nothing once it has an index: async-signal-safe, any thread.  */

#ifndef CCPROF_SYMBOLIZE_H
#define CCPROF_SYMBOLIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/symbolize/elf-file.h"

/* A function's code and what the tables say of it.  */
struct ccprof_symbolize_entry {
    uint64_t start, end; /* end excluded */
    uint32_t body, size; /* bytes in the streams, from the function's source on */
    uint32_t unit;       /* where it stands in the units */
    uint32_t order;      /* of the entries as they stand in the streams */
};

struct ccprof_symbolizer {
    struct ccprof_pages strings, units, streams; /* sections */
    struct ccprof_pages index;                   /* entries, by start */
    size_t count;
};

/* One source function at work.  The texts are in the tables.  */
struct ccprof_symbolize_frame {
    const char *name;
    const char *file;      /* null: unknown */
    uint32_t line, column; /* 0: unknown */
    bool inlined;          /* in the one that is visited next */
};

/* Makes the index of what is in the sections.  Returns null, or what is wrong with
   them.  */
const char *ccprof_symbolize_index(struct ccprof_symbolizer *symbolizer);

void ccprof_symbolize_free(struct ccprof_symbolizer *symbolizer);

/* Visits the source functions at work at the ADDRESS, innermost first, until it is told
   to stop.  Returns false if no table speaks of the address, or there is no memory or
   none of it can be right.  ROOM is for the time of the call and may be kept from one to
   the next; the caller frees it.  */
typedef bool ccprof_symbolize_visit(void *context,
                                    const struct ccprof_symbolize_frame *frame);
bool ccprof_symbolize_find(const struct ccprof_symbolizer *symbolizer, uint64_t address,
                           struct ccprof_pages *room, ccprof_symbolize_visit *visit,
                           void *context);

/* The parts of it, each in a file of its own.  */

struct ccprof_bytes;

/* The file of a position: that of the copy's source, or its number in the unit.  */
#define CCPROF_SYMBOLIZE_SOURCES UINT32_MAX

/* Where a copy is, or was called.  LINE is that of the source, to which it is relative, 0
   to start with.  */
struct ccprof_symbolize_position {
    uint32_t file; /* 0: all is unknown */
    uint32_t column;
    int64_t line;
};

struct ccprof_symbolize_copy {
    uint32_t parent, source;
    struct ccprof_symbolize_position call;
    int64_t last; /* as CALL's line, of the point read last */
};

struct ccprof_symbolize_point {
    uint32_t copy;
    struct ccprof_symbolize_position position;
};

/* A function as it is read: AT is the point at the offset TARGET.  */
struct ccprof_symbolize_function {
    unsigned detail; /* enum ccprof_position */
    uint64_t length; /* of the code */
    uint64_t target;
    /* Room for all that there can be; both null: nothing is kept, and whether copies and
       points are there is not looked at.  */
    struct ccprof_symbolize_copy *copies;
    struct ccprof_symbolize_point *points;
    uint32_t copy_count, point_count;
    struct ccprof_symbolize_point at;
};

/* Reads the function from its source on; BYTES is bad if it cannot be right.  */
void ccprof_symbolize_function(struct ccprof_symbolize_function *function,
                               struct ccprof_bytes *bytes);

/* What the unit says, from its own position on.  */
struct ccprof_symbolize_unit {
    const struct ccprof_pages *strings;
    const uint8_t *at, *end; /* from the files on */
};

struct ccprof_symbolize_source {
    const char *name;
    uint32_t file, line; /* 0: unknown */
};

/* Returns false if no unit of ours is there.  */
bool ccprof_symbolize_unit(const struct ccprof_symbolizer *symbolizer, uint64_t offset,
                           struct ccprof_symbolize_unit *unit, unsigned *detail);

bool ccprof_symbolize_source(const struct ccprof_symbolize_unit *unit, uint32_t number,
                             struct ccprof_symbolize_source *source);

/* Null if there is none.  */
const char *ccprof_symbolize_file(const struct ccprof_symbolize_unit *unit,
                                  uint32_t number);

#endif
