/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes how often the blocks and edges of flow graphs were executed. Only some
   edges have a counter. The counts of all other edges can be computed, because
   control enters each block as often as it leaves the block. flowcounts_solve computes
   the counts of the flow graphs of a program (the argument blocks).
   arcgraph_make_consistent computes the counts of a graph of GCC's own profile (the
   argument train). Used by flow/, rows/, arcs/, view/ and export/gcda.c. */

#ifndef MLPROF_FLOWCOUNTS_H
#define MLPROF_FLOWCOUNTS_H

#include "mlprof/profile/profile.h"
#include "mlprof/program/program.h"
#include "mlprof/tables/arctables.h"
#include "mlprof/tables/counters.h"
#include "mlprof/tables/flowtables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOWCOUNTS_NO_ROW UINT32_MAX

/* A flow graph of one module with its counts. If a run was aborted, counts may be
   negative. */
struct flowcounts_flow {
    const struct flowtables_flow *flow;
    uint32_t module;
    uint32_t row;            /* set by rows_find_flows */
    int64_t *edges, *blocks; /* by number */
    int64_t *missed; /* by block: mispredictions of its branch; NULL: not counted */
};

struct flowcounts {
    struct flowtables *tables; /* by module */
    size_t table_count;
    /* Sorted by module, then in the order of the module's tables. */
    struct flowcounts_flow *flows;
    size_t count, capacity;
};

/* Fills COUNTS, which is valid as long as PROGRAM. The caller frees it with
   flowcounts_free, even after a failure. Returns false and sets FAULT if a table is
   damaged. With TOLERANT, the tables of a damaged shared object are left out with a
   message on stderr. */
bool flowcounts_solve(struct flowcounts *counts, const struct profile *profile,
                      const struct program *program, bool tolerant, struct fault *fault);

void flowcounts_free(struct flowcounts *counts);

/* Returns COUNT as it is shown: at least 0. */
static inline uint64_t flowcounts_shown(int64_t count)
{
    return count < 0 ? 0 : (uint64_t)count;
}

/* The largest count that every supported GCC can represent (profile-count.h,
   max_count). GCC 16 has one bit less than GCC 12 to 15. */
#define FLOWSUMS_MOST (((int64_t)1 << 60) - 2)

/* Returns SUM, limited to FLOWSUMS_MOST. */
int64_t flowsums_clamp(__int128 sum);

/* Adds up COUNT counters of a MODULE of PROFILE, by edge. The result has EDGES
   elements, for the edges of all graphs. FIRST has the number of the first edge of
   each graph. The caller frees the result. */
int64_t *flowsums_add_up(const struct edgeterms_counter *counters, size_t count,
                         const struct profile *profile, uint32_t module,
                         const size_t *first, size_t edges);

/* Kirchhoff's law: control enters each block as often as it leaves the block.
   Therefore the counts of the edges outside of a spanning tree determine all others
   (D. E. Knuth, F. R. Stevenson: "Optimal measurement points for program frequency
   counts", BIT 13, 1973). */

struct kirchhoff_edge {
    uint32_t from, to; /* blocks */
    bool known;        /* the count is given or was computed */
    int64_t count;     /* how often the edge was taken */
};

/* Computes the unknown counts of EDGE_COUNT EDGES. Sets BLOCKS, an array of
   BLOCK_COUNT elements, to the counts of the blocks. An edge that cannot be computed
   gets the count 0. If the given counts contradict each other, the results still
   satisfy the equations, and may be negative. */
void kirchhoff_solve(struct kirchhoff_edge *edges, size_t edge_count, int64_t *blocks,
                     size_t block_count);

/* Changes COUNTS so that they are consistent with the graph of FUNCTION. COUNTS has
   the counts of the arcs with a counter; afterwards control enters each block as often
   as it leaves the block, and no arc is negative, except arcs that may be. Counts are
   inconsistent if a run was aborted, or left a function by longjmp. GCC refuses to
   compile with an inconsistent profile.

   If an arc would be negative, the difference is added to a path around it, over taken
   arcs if possible. Without a graph, negative counts become 0. If TIMES is not NULL,
   it is set to the executions of each block; for the entry, this is the number of
   calls of the function. Returns true if no count was changed. */
bool arcgraph_make_consistent(const struct arctables *tables,
                              const struct arctables_function *function, int64_t *counts,
                              uint64_t *times);

#endif
