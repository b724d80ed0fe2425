/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds whom indirect calls called, where that was counted: the targets of mlmon.out(5).
   For evaluate.c, which passes them to arcs.c.  */

#ifndef MLPROF_ARCS_TARGETS_H
#define MLPROF_ARCS_TARGETS_H

#include "mlprof/program/program.h"
#include "mlprof/rows/rows.h"

struct arcs_target {
    uint32_t row;          /* of the caller */
    uint32_t line, column; /* of the call in the caller; 0: unknown */
    uint32_t callee;       /* row; STACKS_NONE: outside of the profile, or left out */
    uint64_t count;
};

/* The targets that PROFILE has of functions with a row, sorted by row, position and
   callee, each once.  *COUNT is set to their number; to be freed.  */
struct arcs_target *arcs_targets_find(struct rows *rows, const struct profile *profile,
                                      const struct program *program, size_t *count);

#endif
