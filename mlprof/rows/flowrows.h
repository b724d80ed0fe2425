/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the row of the function that a flow graph belongs to.  */

#ifndef MLPROF_FLOWROWS_H
#define MLPROF_FLOWROWS_H

#include "mlprof/flow/flowcounts.h"
#include "mlprof/rows/rows.h"

/* Sets the row of each flow.  */
void flowrows_find(struct flowcounts *counts, struct rows *rows);

/* The row of a source, or STACKS_NONE if the source has no row.  */
uint32_t flowrows_row(struct rows *rows, const struct unit *unit,
                      const struct unit_source *source);

#endif
