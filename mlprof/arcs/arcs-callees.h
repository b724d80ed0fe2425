/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds whom a call site called, or may have called, for the views.  */

#ifndef MLPROF_ARCS_CALLEES_H
#define MLPROF_ARCS_CALLEES_H

#include "mlprof/arcs/arcs.h"

struct arcs_callee {
    uint32_t row; /* STACKS_NONE: outside of the profile; ARCS_OTHERS */
    struct arcs_calls calls;
};

/* Starts as all zero.  */
struct arcs_callees {
    struct arcs_callee *list; /* each once, those with most calls first, but the others
                                 and then what is outside last */
    size_t count, capacity;
};

/* Fills CALLEES, which arcs_callees_free frees, with those of SITE in place of those
   before.  */
void arcs_callees_find(struct arcs_callees *callees, const struct arcs *arcs,
                       const struct arcs_site *site);

void arcs_callees_free(struct arcs_callees *callees);

/* The targets of SITE were not counted: the equations alone tell of them.  */
bool arcs_callees_are_open(const struct arcs_site *site);

#endif
