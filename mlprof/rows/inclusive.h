/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the inclusive counts of each source, for rows.c: what was counted while it was
   on the stack.  */

#ifndef MLPROF_INCLUSIVE_H
#define MLPROF_INCLUSIVE_H

#include "mlprof/program/program.h"
#include "mlprof/stacks/stacks.h"

/* By the numbers of the sources, as many as there were when this was made.  */
struct inclusive {
    uint64_t *counts; /* NULL: none were measured */
    size_t count;
};

/* Adds up the counters of each source, which is added to STACKS; free the counts.  */
struct inclusive inclusive_of_sources(struct stacks *stacks,
                                      const struct profile *profile,
                                      const struct program *program);

#endif
