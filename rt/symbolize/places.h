/* SPDX-License-Identifier: MIT */
/* From an address in a module's file to the source functions that are at work there and
   where, by the tables that the plugin has written (doc/tables.md).  Believes nothing of
   them, calls nothing but mmap and munmap, and changes nothing once it has an index:
   async-signal-safe, any thread.  */

#ifndef CCPROF_PLACES_H
#define CCPROF_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/symbolize/elf-file.h"

/* A function's code and what the tables say of it.  */
struct ccprof_places_entry {
    uint64_t start, end; /* end excluded */
    uint32_t body, size; /* bytes in the streams, from the function's source on */
    uint32_t unit;       /* where it stands in the units */
    uint32_t order;      /* of the entries as they stand in the streams */
};

struct ccprof_places {
    struct ccprof_bulk strings, units, streams; /* sections */
    struct ccprof_bulk index;                   /* entries, by start */
    size_t count;
};

/* One source function at work.  The texts are in the tables.  */
struct ccprof_place {
    const char *name;
    const char *file;      /* null: unknown */
    uint32_t line, column; /* 0: unknown */
    bool inlined;          /* in the one that is visited next */
};

/* Makes the index of what is in the sections.  Returns null, or what is wrong with
   them.  */
const char *ccprof_places_index(struct ccprof_places *places);

void ccprof_places_free(struct ccprof_places *places);

/* Visits the source functions at work at the ADDRESS, innermost first, until it is told
   to stop.  Returns false if no table speaks of the address, or there is no memory or
   none of it can be right.  ROOM is for the time of the call and may be kept from one to
   the next; the caller frees it.  */
typedef bool ccprof_places_visit(void *context, const struct ccprof_place *place);
bool ccprof_places_find(const struct ccprof_places *places, uint64_t address,
                        struct ccprof_bulk *room, ccprof_places_visit *visit,
                        void *context);

/* The parts of it, each in a file of its own.  */

struct ccprof_bytes;

/* The file of a position: that of the copy's source, or its number in the unit.  */
#define CCPROF_PLACES_SOURCES UINT32_MAX

/* Where a copy is, or was called.  LINE is that of the source, to which it is relative, 0
   to start with.  */
struct ccprof_places_position {
    uint32_t file; /* 0: all is unknown */
    uint32_t column;
    int64_t line;
};

struct ccprof_places_copy {
    uint32_t parent, source;
    struct ccprof_places_position call;
    int64_t last; /* as CALL's line, of the point read last */
};

struct ccprof_places_point {
    uint32_t copy;
    struct ccprof_places_position position;
};

/* A function as it is read: AT is the point at the offset TARGET.  */
struct ccprof_places_function {
    unsigned detail; /* enum ccprof_position */
    uint64_t length; /* of the code */
    uint64_t target;
    /* Room for all that there can be; both null: nothing is kept, and whether copies and
       points are there is not looked at.  */
    struct ccprof_places_copy *copies;
    struct ccprof_places_point *points;
    uint32_t copy_count, point_count;
    struct ccprof_places_point at;
};

/* Reads the function from its source on; BYTES is bad if it cannot be right.  */
void ccprof_places_function(struct ccprof_places_function *function,
                            struct ccprof_bytes *bytes);

/* What the unit says, from its own position on.  */
struct ccprof_places_unit {
    const struct ccprof_bulk *strings;
    const uint8_t *at, *end; /* from the files on */
};

struct ccprof_places_source {
    const char *name;
    uint32_t file, line; /* 0: unknown */
};

/* Returns false if no unit of ours is there.  */
bool ccprof_places_unit(const struct ccprof_places *places, uint64_t offset,
                        struct ccprof_places_unit *unit, unsigned *detail);

bool ccprof_places_source(const struct ccprof_places_unit *unit, uint32_t number,
                          struct ccprof_places_source *source);

/* Null if there is none.  */
const char *ccprof_places_file(const struct ccprof_places_unit *unit, uint32_t number);

#endif
