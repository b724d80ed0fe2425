/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints source text, each line with its samples.  */

#ifndef MLPROF_LISTING_H
#define MLPROF_LISTING_H

#include "mlprof/view/view.h"

/* Marks the rows that have a file and match; returns how many.  */
size_t listing_find(const struct view *view, const struct pattern *pattern, bool *wanted);

/* The lines of each of them whose stack reaches the threshold, from where it starts to
   the last line that the tables know of it.  A source file that cannot be read, or is not
   what was compiled, is told of on stderr; of one that cannot the lines with samples are
   printed without text.  */
void listing_print(FILE *out, const struct view *view, const bool *wanted);

#endif
