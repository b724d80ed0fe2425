/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds whom a call site called, or may have called, for the views.  */

#ifndef MLPROF_ARCS_CALLEES_H
#define MLPROF_ARCS_CALLEES_H

#include "mlprof/arcs/arcs.h"

struct arcs_callee {
    /* STACKS_NONE: outside of the profile; ARCS_OTHERS: several functions.  */
    uint32_t row;
    struct arcs_calls calls;
};

/* Starts as all zero.  */
struct arcs_callees {
    /* Each callee once, most calls first; then the others, and what is outside last.  */
    struct arcs_callee *list;
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
