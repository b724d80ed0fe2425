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

/* A region on a side of a comparison, one of ROWS; NULL: it is not there.  */
struct histogram_side {
    const char *head;
    const struct regionrows *rows;
    const struct regionrows_row *row;
};

/* The same of the region NAME before and after, over the same buckets.  */
void histogram_print_sides(FILE *out, const char *name,
                           const struct histogram_side sides[2]);

#endif
