/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and reads baselines: exact counts by function, as text that is kept with a
   program's source and compared by -gate (mlprof-compare(7)).  */

#ifndef MLPROF_BASELINE_H
#define MLPROF_BASELINE_H

#include "mlprof/compare/side.h"

#include <stdio.h>

/* Version 2 has points, version 3 bytes and blocks of the heap, version 4 the names of
   shared objects, version 5 other measures, and one of bytes and blocks alone.  A
   baseline is written as the first version that has what it has.  */
#define BASELINE_VERSION 5

/* Writes the counts of the first run of SIDE, which has no other columns.  There is a
   line for each function that has counted anything, by name, and for each function with
   the name and file of one that has; below it the points of SIDE.  */
void baseline_write(FILE *out, const struct side *side);

/* Fills SIDE, which side_free frees in any case, with one run from the SIZE bytes of TEXT
   that were read from PATH.  False and FAULT if they are no baseline.  */
bool baseline_parse(struct side *side, const char *path, const char *text, size_t size,
                    struct fault *fault);

#endif
