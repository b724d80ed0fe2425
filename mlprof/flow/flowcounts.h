/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes how often the blocks and edges of flow graphs were executed.  Few edges have a
   counter; the others follow from these, since as much flows into each block as out of
   it. flowcounts_solve does this for the flow graphs of a program (the argument blocks),
   and arcgraph_make_consistent for a graph of GCC's own profile (the argument train).  */

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

/* A flow graph of one module with its counts.  If a run was cut off, counts may be less
   than 0.  */
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
    struct flowcounts_flow *flows; /* by module, in the order of its file */
    size_t count, capacity;
};

/* Fills COUNTS, which flowcounts_free frees in any case, and which lives as long as
   PROGRAM.  False and FAULT if a table is damaged; with TOLERANT, the tables of a damaged
   shared object are left out with a line on stderr.  */
bool flowcounts_solve(struct flowcounts *counts, const struct profile *profile,
                      const struct program *program, bool tolerant, struct fault *fault);

void flowcounts_free(struct flowcounts *counts);

/* A count as it is shown: at least 0.  */
static inline uint64_t flowcounts_shown(int64_t count)
{
    return count < 0 ? 0 : (uint64_t)count;
}

/* The largest count that each GCC has of anything (profile-count.h, max_count): 16 has a
   bit less than 12 to 15.  */
#define FLOWSUMS_MOST (((int64_t)1 << 60) - 2)

/* SUM, or that number if it is larger.  */
int64_t flowsums_clamp(__int128 sum);

/* Adds up COUNT counters of a MODULE of PROFILE by edge, of all graphs; to be freed.
   There are EDGES edges; FIRST has the number of the first edge of each graph.  */
int64_t *flowsums_add_up(const struct edgeterms_counter *counters, size_t count,
                         const struct profile *profile, uint32_t module,
                         const size_t *first, size_t edges);

/* Kirchhoff's law: as much flows into each block as out of it.  So the counts of the
   edges outside of a spanning tree determine all others (D.  E.  Knuth, F.  R. Stevenson:
   "Optimal measurement points for program frequency counts", BIT 13, 1973).  */

struct kirchhoff_edge {
    uint32_t from, to; /* blocks */
    bool known;        /* the count is given or was computed */
    int64_t count;     /* how often the edge was taken */
};

/* Computes the unknown counts among EDGE_COUNT EDGES.  Sets BLOCKS, an array of
   BLOCK_COUNT elements, to the counts of the blocks.  An edge that does not follow from
   the others counts as 0.  If the given counts contradict each other, the results still
   follow from the equations, and may be less than 0.  */
void kirchhoff_solve(struct kirchhoff_edge *edges, size_t edge_count, int64_t *blocks,
                     size_t block_count);

/* Changes COUNTS, of the arcs of FUNCTION that have a counter, so that they agree with
   its graph: control enters each block as often as it leaves the block, and no arc is
   taken less than 0 times, except arcs that may be.  Runs that were cut off, or that left
   a function by longjmp, have other counts, and GCC refuses to compile with a profile
   that contradicts itself.  If an arc would be less than 0, the difference is added along
   a path around it, over arcs that were taken if possible.  Without a graph, counts of
   less than 0 become 0.  Unless TIMES is NULL, it is set to the executions of each block;
   those of the entry are the calls of the function.  Returns true if no count was
   changed.  */
bool arcgraph_make_consistent(const struct arctables *tables,
                              const struct arctables_function *function, int64_t *counts,
                              uint64_t *times);

#endif
