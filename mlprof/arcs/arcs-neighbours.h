/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the callers or callees of one function from counted calls. Indirect calls may
   connect every function of one set with every function of another set. A large
   program has too many such pairs to store, so this module computes the pairs of one
   function on request. The pairs with the most calls are listed; the calls of all
   other pairs are added up (ARCS_SHOWN). Used by views, the page, comparisons,
   paths.c and keep.c. */

#ifndef MLPROF_ARCS_NEIGHBOURS_H
#define MLPROF_ARCS_NEIGHBOURS_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/base/groups.h"

enum arcs_neighbours_side { ARCS_CALLERS, ARCS_CALLEES };

/* A caller or callee. */
struct arcs_neighbour {
    /* STACKS_NONE: outside of the profile. ARCS_OTHERS: several functions. */
    uint32_t row;
    struct arcs_calls calls;
};

struct arcs_neighbours {
    struct arcs_neighbour *list; /* each neighbour once, unsorted */
    size_t count, capacity;
    /* For each row, then for functions outside of the profile, then for ARCS_OTHERS:
       index in LIST plus 1, or 0. */
    size_t *place;
    size_t row_count;
    struct groups sites, targets; /* grouped by callee */
};

/* Prepares NEIGHBOURS for the rows of ARCS. The caller frees it with
   arcs_neighbours_free. */
void arcs_neighbours_begin(struct arcs_neighbours *neighbours, const struct arcs *arcs);

/* Replaces the content of NEIGHBOURS by the neighbours of ROW. Callees outside of the
   profile are left out. */
void arcs_neighbours_find(struct arcs_neighbours *neighbours, const struct arcs *arcs,
                          uint32_t row, enum arcs_neighbours_side side);

void arcs_neighbours_free(struct arcs_neighbours *neighbours);

/* The functions that a call site called, or may have called. All members start as
   zero. */
struct arcs_callees {
    /* Each callee occurs once. Callees are sorted by descending calls. The entry
       ARCS_OTHERS comes after them, and the entry for functions outside of the profile
       is last. */
    struct arcs_neighbour *list;
    size_t count, capacity;
};

/* Replaces the content of CALLEES by the callees of SITE. The caller frees CALLEES
   with arcs_callees_free. */
void arcs_callees_find(struct arcs_callees *callees, const struct arcs *arcs,
                       const struct arcs_site *site);

void arcs_callees_free(struct arcs_callees *callees);

/* Returns whether the targets of SITE were not counted. If they were not counted,
   only bounds of their calls are known. */
bool arcs_callees_are_open(const struct arcs_site *site);

#endif
