/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the callers or the callees of one function from counted calls, for the views.
   Calls by pointers may join every pair of two sets, which are too many pairs to keep.
   So this module makes only those of one function, on request: the pairs with most calls
   apart, and the others added up (ARCS_SHOWN).  */

#ifndef MLPROF_ARCS_NEIGHBOURS_H
#define MLPROF_ARCS_NEIGHBOURS_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/base/groups.h"

enum arcs_neighbours_side { ARCS_CALLERS, ARCS_CALLEES };

/* A caller or callee.  */
struct arcs_neighbour {
    /* STACKS_NONE: outside of the profile; ARCS_OTHERS: several functions.  */
    uint32_t row;
    struct arcs_calls calls;
};

struct arcs_neighbours {
    struct arcs_neighbour *list; /* each once, in no order */
    size_t count, capacity;
    /* By row, then for outside, then for the others: the index in LIST plus 1, or 0.  */
    size_t *place;
    size_t row_count;
    struct groups sites, targets; /* grouped by callee */
};

/* Makes NEIGHBOURS, which arcs_neighbours_free frees, ready for the rows of ARCS.  */
void arcs_neighbours_begin(struct arcs_neighbours *neighbours, const struct arcs *arcs);

/* Fills NEIGHBOURS with those of ROW; what was there before is replaced.  Callees outside
   are left out.  */
void arcs_neighbours_find(struct arcs_neighbours *neighbours, const struct arcs *arcs,
                          uint32_t row, enum arcs_neighbours_side side);

void arcs_neighbours_free(struct arcs_neighbours *neighbours);

/* The functions that a call site called, or may have called.  Starts as all zero.  */
struct arcs_callees {
    /* Each callee once, most calls first; then the others, and what is outside last.  */
    struct arcs_neighbour *list;
    size_t count, capacity;
};

/* Fills CALLEES, which arcs_callees_free frees, with the callees of SITE; what was there
   before is replaced.  */
void arcs_callees_find(struct arcs_callees *callees, const struct arcs *arcs,
                       const struct arcs_site *site);

void arcs_callees_free(struct arcs_callees *callees);

/* Whether the targets of SITE were not counted, so that only the equations bound
   them.  */
bool arcs_callees_are_open(const struct arcs_site *site);

#endif
