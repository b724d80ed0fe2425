/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how long the calls of regions took, as histograms of text, 80 columns wide or as
   wide as the terminal.  */

#ifndef MLPROF_HISTOGRAM_H
#define MLPROF_HISTOGRAM_H

#include "mlprof/view/view.h"

/* Which rows of the view's regions PATTERN means: it is found in their names.  Fills
   WANTED, which has room for them; returns how many they are.  */
size_t histogram_find(const struct view *view, const struct pattern *pattern,
                      bool *wanted);

/* One of each of them that has calls, in the order of the table.  */
void histogram_print(FILE *out, const struct view *view, const bool *wanted);

#endif
