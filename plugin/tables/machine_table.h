/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine_table: the flow graph of a compiled function's machine code, as described in
   doc/tables.md, "Machine code", and its encoding. plugin/machine makes the graphs.
   This module does not use GCC.  */

#ifndef CCPROF_MACHINE_TABLE_H
#define CCPROF_MACHINE_TABLE_H

#include "plugin/tables/encode.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An edge from one vertex to another. Vertex 0 stands for everything outside of the
   function.  */
struct machine_edge {
    unsigned from, to;
    unsigned counter; /* from 1; 0: no counter */
};

#define MACHINE_NO_EDGE ((size_t)-1)

/* Adjacent instructions that are executed as often as an edge.  */
struct machine_segment {
    unsigned start, end; /* labels */
    size_t edge;
    bool own; /* code of a counter */
    /* The edge that leads through the bytes between the previous segment and this one,
       or MACHINE_NO_EDGE.  */
    size_t falls;
};

/* Writes the graph, without its segments.  */
void machine_table_encode_edges(unsigned vertices, const struct machine_edge *edges,
                                size_t count, const struct encode_sink *sink);

/* Writes the segments of one part of the function. The first segment begins where the
   part begins.  */
void machine_table_encode_segments(const struct machine_segment *segments, size_t count,
                                   const struct encode_sink *sink);

#ifdef __cplusplus
}
#endif

#endif
