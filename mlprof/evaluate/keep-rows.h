/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the rows that -keep means (keep.h), for evaluate.c, by MLton's rules
   (MLton/mlton, mlprof/main.sml, NodePred.nodes and display): callers and callees are
   found copy by copy, and a row is kept if one of its copies is.  */

#ifndef MLPROF_KEEP_ROWS_H
#define MLPROF_KEEP_ROWS_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/evaluate/keep.h"
#include "mlprof/names/names.h"

/* By row: whether it is kept; to be freed.  The names of ROWS must be settled.  Calls are
   those on the stacks; those of ARCS if calls were counted; those of the tables if
   nothing was measured.  */
bool *keep_rows(const struct keep *keep, const struct rows *rows, const struct arcs *arcs,
                const struct names_style *style);

#endif
