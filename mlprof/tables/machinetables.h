/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the flow graphs of machine code, from .ccprof.machine (doc/tables.md, "Machine
   code"): which counters count which edges, and which edge each instruction belongs to.
   Used by flow/instructions.c. */

#ifndef MLPROF_MACHINETABLES_H
#define MLPROF_MACHINETABLES_H

#include "mlprof/base/buf.h"
#include "mlprof/elf/elffile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINETABLES_NONE UINT32_MAX

/* Vertex 0 is everything outside of the function. */
struct machinetables_edge {
    uint32_t from, to;
    uint64_t counter; /* address of the counter's storage in the file; 0: no counter */
    uint64_t instructions; /* as the compiler counted them, if HAS_CALLS */
};

/* Instructions that are executed as often as an edge. */
struct machinetables_segment {
    uint64_t start, end; /* addresses in the file; END is excluded */
    uint32_t edge;       /* number in its function */
    bool counter;        /* code of a counter */
    /* The instructions before START that belong to no segment: they begin at GAP, and are
       executed as often as the edge FALLS. MACHINETABLES_NONE: there are none. */
    uint64_t gap;
    uint32_t falls;
};

/* A call with a pair (rt/format.h). */
struct machinetables_call {
    uint64_t back; /* return address in the file */
    uint64_t pair; /* address of the pair in the file */
};

struct machinetables_function {
    bool has_calls; /* instructions are counted inclusively */
    uint64_t pair;  /* address of the pair of the function; 0: no calls */
    size_t first_call, calls;
    uint32_t vertices;
    size_t first_edge, edges;
    size_t first_segment, segments;
};

/* In the order of the file. Starts as all zero. */
struct machinetables {
    struct machinetables_function *functions;
    size_t count, capacity;
    BUF_VECTOR(struct machinetables_edge) edges;
    BUF_VECTOR(struct machinetables_segment) segments;
    BUF_VECTOR(struct machinetables_call) calls; /* by address in each function */
};

/* Appends the functions of FILE. If the section is damaged, returns false and sets
   FAULT. */
bool machinetables_read(struct machinetables *tables, const struct elffile *file,
                        struct fault *fault);

void machinetables_free(struct machinetables *tables);

#endif
