/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds what runs have allocated to a side of a comparison, by the rows of -allocs, for
   comparison-read.c.

   A row is found again in another run or build by its function, by what is called there
   and the type, and by how many lines behind the function's beginning the call is; where
   each side has only one more of the first three, without regard to lines.  */

#ifndef MLPROF_ALLOCSIDE_H
#define MLPROF_ALLOCSIDE_H

#include "mlprof/compare/side.h"

/* Adds a run of RESULT, which VIEW shows, with the rows by BY, the same for all runs.  */
void allocside_add(struct side *side, const struct evaluate_result *result,
                   const struct view *view, enum allocview_by by);

#endif
