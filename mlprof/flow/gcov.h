/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the results of gcov for the functions of one unit, by gcov's rules (GCC:
   gcov.cc): how often each line was executed and how often each branch was taken.
   Used by the coverage formats, the listing and executions.c. gcov.c fills struct
   gcov. gcov-cycles.c counts the executions of the blocks of a line. */

#ifndef MLPROF_GCOV_H
#define MLPROF_GCOV_H

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/flow/flowcounts.h"
#include "mlprof/tables/flowtables.h"

struct gcov_function {
    const struct flowcounts_flow *flow;
    uint32_t file;
    /* The function has its own lines, because other functions start on the same line. */
    bool alone;
};

/* A line with code. */
struct gcov_line {
    uint32_t file, line;
    int64_t count;
    size_t first_branch, branch_count;
};

struct gcov {
    struct intern files; /* all files by name, including files without lines */
    struct gcov_function *functions; /* sorted by file, then by start */
    size_t function_count;
    /* Sorted by file and line. Functions with lines of their own may have equal lines. */
    BUF_VECTOR(struct gcov_line) lines;
    /* The counts of the branches: the edges out of blocks that end on the line and that
       have several such edges. */
    BUF_VECTOR(int64_t) branches;
};

enum gcov_owners {
    GCOV_OF_FILES,    /* lines belong to files, as in gcov */
    GCOV_OF_FUNCTIONS /* each function has its own lines */
};

/* Fills GCOV from COUNT FLOWS of one compilation. The caller frees GCOV with
   gcov_free. All FLOWS must be elements of one array. Artificial functions are left
   out. */
void gcov_evaluate(struct gcov *gcov, const struct flowcounts_flow *const *flows,
                   size_t count, enum gcov_owners owners);

void gcov_free(struct gcov *gcov);

/* Counts how often a subgraph of a flow graph, for example the blocks of a line, was
   executed. The result is the number of entries plus the number of rounds inside. The
   rounds are the sum of the counts of the elementary circuits, which are subtracted
   one after the other (K. A. Hawick, H. A. James, "Enumerating circuits and loops in
   graphs with self-arcs and multiple-arcs", 2008, after D. B. Johnson, 1975). If
   circuits share edges, the sum depends on the order of the circuits. The order is
   the same as in gcov: by first block, then by the next blocks. */
struct gcov_cycles;

struct gcov_cycles *gcov_cycles_new(const struct flowcounts_flow *flow);

/* CYCLES may be NULL. */
void gcov_cycles_free(struct gcov_cycles *cycles);

/* Returns how often the subgraph of COUNT different BLOCKS was executed. The search
   for circuits starts at the blocks in the order of BLOCKS. */
int64_t gcov_cycles_count(struct gcov_cycles *cycles, const uint32_t *blocks,
                          size_t count);

/* An edge out of a block. */
struct gcov_cycles_edge {
    uint32_t to;   /* target block */
    uint32_t edge; /* its number */
};

/* Returns the edges out of a block, sorted by target. Sets *COUNT to their number. */
const struct gcov_cycles_edge *gcov_cycles_edges(const struct gcov_cycles *cycles,
                                                 uint32_t block, size_t *count);

#endif
