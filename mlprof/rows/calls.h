/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the counted calls of each source, for rows.c.  */

#ifndef MLPROF_CALLS_H
#define MLPROF_CALLS_H

#include "mlprof/program/program.h"
#include "mlprof/stacks/stacks.h"

struct calls {
    bool counted; /* it has a counter */
    uint64_t count;
};

/* The calls of each of the sources of STACKS, by number, to be freed; sources that have
   counters are added to STACKS.  Calls whose counter is in no table are those of
   <unprofiled>.  */
struct calls *calls_of_sources(struct stacks *stacks, const struct profile *profile,
                               const struct program *program);

#endif
