/* SPDX-License-Identifier: GPL-3.0-or-later */
/* encode: writes the bytes that doc/tables.md describes: LEB128 numbers, units and
   parts, the types of blocks, the terms of counters, and machine code. This module does
   not use GCC. A sink writes distances between labels and offsets of strings, because
   only the assembler and the linker know them. */

#ifndef CCPROF_ENCODE_H
#define CCPROF_ENCODE_H

#include "plugin/tables/unit.h"
#include "rt/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* LEB128 numbers, as in DWARF. */
typedef void leb_sink(void *data, unsigned char byte);

static inline void leb_unsigned(leb_sink *sink, void *data, uint64_t value)
{
    do {
        unsigned char byte = value & 0x7f;
        value >>= 7;
        sink(data, value ? byte | 0x80 : byte);
    } while (value);
}

static inline void leb_signed(leb_sink *sink, void *data, int64_t value)
{
    for (;;) {
        unsigned char byte = value & 0x7f;
        value >>= 7;
        if (value == (byte & 0x40 ? -1 : 0)) {
            sink(data, byte);
            return;
        }
        sink(data, byte | 0x80);
    }
}

struct encode_sink {
    void *data;
    void (*byte)(void *data, unsigned char byte);
    /* Writes the ULEB128 number TO - FROM + PLUS. */
    void (*distance)(void *data, unsigned from, unsigned to, unsigned plus);
    /* Writes four bytes: the offset of the unit's string in .ccprof.str. */
    void (*string)(void *data, unsigned string);
};

/* Writes a function of a stream. PREVIOUS_END is the label at the end of the previous
   function, or the base of the stream. */
void encode_part(const struct part *part, const struct unit *unit,
                 enum ccprof_position detail, unsigned previous_end,
                 const struct encode_sink *sink);

/* Writes a unit, without its length. DIRECTORY and EMPTY (the string "") are strings
   of the unit. */
void encode_unit(const struct unit *unit, enum ccprof_position detail, unsigned directory,
                 unsigned empty, const struct encode_sink *sink);

/* The types of the blocks that calls return (doc/tables.md, "Types of blocks"). */

/* Whether the source function returns the result of the call: unknown, no, yes. */
enum typed_returned { TYPED_UNKNOWN, TYPED_KEPT, TYPED_RETURNED };

/* A call in a source. SOURCE, FILE and TYPE are numbers in the unit. */
struct typed_call {
    unsigned source, file, line, column;
    unsigned type; /* number of a string; 0: unknown */
    enum typed_returned returned;
};

/* Sorts the calls for typed_encode and joins calls at the same position of a source.
   Returns the number of calls that remain. Joined calls with different types are
   dropped. If joined calls differ in `returned', the result is TYPED_KEPT. Calls with
   unknown type whose result is not returned are dropped. */
size_t typed_sort(struct typed_call *calls, size_t count);

/* Writes the unit's piece of the section, after the offset of the unit. CALLS come
   from typed_sort. */
void typed_encode(const struct typed_call *calls, size_t count, const struct unit *unit,
                  enum ccprof_position detail, const struct encode_sink *sink);

/* What counters count, in version 3 of the tables. */

/* A term states that one counter counts for one source, or for one edge of a flow
   graph. */
struct terms_term {
    uint64_t flow;    /* id of the flow graph; 0 for sources */
    uint32_t number;  /* number of the source or edge */
    uint32_t counter; /* number of the counter in the piece */
    bool negative;    /* the counter is subtracted */
};

/* Sorts the terms into the order of the tables. */
void terms_sort(struct terms_term *terms, size_t count);

/* Writes a term. BEFORE is the previous term of the piece, or NULL for the first one. */
void terms_put(leb_sink *sink, void *data, const struct terms_term *term,
               const struct terms_term *before);

/* The flow graph of a compiled function's machine code (doc/tables.md, "Machine code").
   plugin/machine makes it. */

/* An edge from one vertex to another. Vertex 0 stands for everything outside of the
   function. */
struct machine_edge {
    unsigned from, to;
    unsigned counter;      /* from 1; 0: no counter */
    unsigned instructions; /* of the edge */
};

#define MACHINE_NO_EDGE ((size_t)-1)

/* Adjacent instructions that are executed as often as an edge. */
struct machine_segment {
    unsigned start, end; /* labels */
    size_t edge;
    bool is_counter; /* code of a counter */
    /* The edge that leads through the bytes between the previous segment and this one,
       or MACHINE_NO_EDGE. */
    size_t falls;
};

/* A call: the label of its return address, and its pair. */
struct machine_call {
    unsigned back, pair;
};

/* Writes the graph, without its segments. INCLUSIVE: with the instructions of edges. */
void machine_table_encode_edges(unsigned vertices, const struct machine_edge *edges,
                                size_t count, bool inclusive,
                                const struct encode_sink *sink);

/* Writes the segments of one part of the function. The first segment begins where the
   part begins. */
void machine_table_encode_segments(const struct machine_segment *segments, size_t count,
                                   const struct encode_sink *sink);

/* Writes the calls of one part, which begins at START, in the order of their addresses.
 */
void machine_table_encode_calls(unsigned start, const struct machine_call *calls,
                                size_t count, const struct encode_sink *sink);

#ifdef __cplusplus
}
#endif

#endif
