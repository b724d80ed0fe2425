/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solves for the counts of a flow graph's edges: as much flows into each block as out of
   it (Kirchhoff's law), so that the counts of the edges outside of a spanning tree tell
   all others (D. E. Knuth, F. R. Stevenson: "Optimal measurement points for program
   frequency counts", BIT 13, 1973).  Knows of numbers only; used by flow/flowcounts.
 */

#ifndef MLPROF_KIRCHHOFF_H
#define MLPROF_KIRCHHOFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers of two blocks that every graph has: what leaves the one arrives in the
   other.  */
#define KIRCHHOFF_ENTRY 0
#define KIRCHHOFF_EXIT  1

struct kirchhoff_edge {
    uint32_t from, to; /* blocks */
    bool known;        /* the count is given, or was solved */
    int64_t count;     /* times that it was taken */
};

enum kirchhoff_verdict {
    KIRCHHOFF_SOLVED,
    KIRCHHOFF_INCONSISTENT, /* the counts given contradict each other, or an edge would
                          have been taken less than never: they are of a run that was cut
                          off
                        */
    KIRCHHOFF_OPEN          /* too little is given: some edges are not known */
};

/* Solves the counts of the EDGE_COUNT EDGES that are not known.  Fills BLOCKS, which has
   room for BLOCK_COUNT, with how often each block was executed; edges that are not known
   count as 0 there.  Of an inconsistent graph the counts are as the equations give them.
 */
enum kirchhoff_verdict kirchhoff_solve(struct kirchhoff_edge *edges, size_t edge_count,
                                       int64_t *blocks, size_t block_count);

#endif
