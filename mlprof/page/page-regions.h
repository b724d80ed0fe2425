/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the page's figures of one region, also for the page of a comparison
   (compare/compare-page.c).  */

#ifndef MLPROF_PAGE_REGIONS_H
#define MLPROF_PAGE_REGIONS_H

#include "mlprof/base/encoding.h"
#include "mlprof/profile/profile.h"
#include "mlprof/regions/regionrows.h"

/* Prints ROW, an element of ROWS, which are of PROFILE, as an object with its histogram.
   Times are in nanoseconds.  */
void page_regions_print_row(struct json *json, const struct profile *profile,
                            const struct regionrows *rows,
                            const struct regionrows_row *row);

#endif
