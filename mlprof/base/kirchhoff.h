/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solves for the counts of a flow graph's edges, for flow/flowcounts.  As much flows into
   each block as out of it (Kirchhoff's law), so the counts of the edges outside of a
   spanning tree determine all others (D.  E.  Knuth, F.  R.  Stevenson: "Optimal
   measurement points for program frequency counts", BIT 13, 1973).  */

#ifndef MLPROF_KIRCHHOFF_H
#define MLPROF_KIRCHHOFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two blocks that each graph has.  What leaves the graph by the exit comes in again by
   the entry.  */
#define KIRCHHOFF_ENTRY 0
#define KIRCHHOFF_EXIT  1

struct kirchhoff_edge {
    uint32_t from, to; /* blocks */
    bool known;        /* the count is given or was computed */
    int64_t count;     /* how often the edge was taken */
};

enum kirchhoff_verdict {
    KIRCHHOFF_SOLVED,
    /* The given counts contradict each other, or an edge would have a negative count.
       This is so after a run that was cut off.  */
    KIRCHHOFF_INCONSISTENT,
    KIRCHHOFF_OPEN /* too few counts are given to compute all others */
};

/* Computes the counts of EDGE_COUNT EDGES that are not known.  Sets BLOCKS, by block, of
   which there are BLOCK_COUNT, to the counts of the blocks, where unknown edges count as
   0.  If the counts are inconsistent, the results are those of the equations.  */
enum kirchhoff_verdict kirchhoff_solve(struct kirchhoff_edge *edges, size_t edge_count,
                                       int64_t *blocks, size_t block_count);

#endif
