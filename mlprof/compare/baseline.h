/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and reads baselines: exact counts by function, as text that is kept with a
   program's source and compared by -gate (mlprof-compare(7)).  */

#ifndef MLPROF_BASELINE_H
#define MLPROF_BASELINE_H

#include "mlprof/compare/side.h"

#include <stdio.h>

/* 2 has points; what has none is written as 1, as before there were any.  */
#define BASELINE_VERSION 2

/* Writes what the first run of SIDE has counted, which is calls, or bytes and blocks, or
   all of them: a line for each function that has counted anything, by name, and for those
   that have the name and the file of one; below it the points of SIDE.  */
void baseline_write(FILE *out, const struct side *side);

/* Fills SIDE, which side_free frees in any case, with one run of what the SIZE bytes that
   were read from PATH say.  False and FAULT if they are no baseline.  */
bool baseline_parse(struct side *side, const char *path, const char *text, size_t size,
                    struct fault *fault);

#endif
