/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the callers or the callees of one function, from counted calls, for the views.
   The pairs that calls by pointers may join are all pairs of two sets, too many to keep:
   it finds those of one function when it is asked for them, tells of those with most and
   adds the others up (ARCS_TOLD).  */

#ifndef MLPROF_ARCS_NEIGHBOURS_H
#define MLPROF_ARCS_NEIGHBOURS_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/base/groups.h"

enum arcs_neighbours_side { ARCS_CALLERS, ARCS_CALLEES };

/* One of them.  */
struct arcs_neighbour {
    uint32_t row; /* STACKS_NONE: outside of the profile; ARCS_OTHERS */
    struct arcs_calls calls;
};

struct arcs_neighbours {
    struct arcs_neighbour *list; /* each once, in no order */
    size_t count, capacity;
    size_t *place; /* in it of each row, then of what is outside, of the others; 0: not
                      there, else plus 1 */
    size_t row_count;
    struct groups sites, targets; /* by callee */
};

/* Makes NEIGHBOURS, which arcs_neighbours_free frees, ready for the rows of ARCS.  */
void arcs_neighbours_begin(struct arcs_neighbours *neighbours, const struct arcs *arcs);

/* Fills the neighbours of ROW in place of those before.  Callees outside are not told. */
void arcs_neighbours_find(struct arcs_neighbours *neighbours, const struct arcs *arcs,
                          uint32_t row, enum arcs_neighbours_side side);

void arcs_neighbours_free(struct arcs_neighbours *neighbours);

#endif
