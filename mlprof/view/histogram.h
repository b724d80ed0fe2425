/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how long the calls of regions took before and after, as histograms of text, 80
   columns wide or as wide as the terminal.  */

#ifndef MLPROF_HISTOGRAM_H
#define MLPROF_HISTOGRAM_H

#include "mlprof/view/view.h"

/* A region on one side of a comparison: an element of ROWS, or NULL if the side has no
   such region.  */
struct histogram_side {
    const char *head;
    const struct regionrows *rows;
    const struct regionrows_row *row;
};

/* Prints the histograms of the region NAME on both sides, with the same buckets.  */
void histogram_print_sides(FILE *out, const char *name,
                           const struct histogram_side sides[2]);

#endif
