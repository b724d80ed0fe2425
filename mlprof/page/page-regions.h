/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what the page tells of one region, for the page of a comparison
   (compare/compare-page-regions.c), too.  */

#ifndef MLPROF_PAGE_REGIONS_H
#define MLPROF_PAGE_REGIONS_H

#include "mlprof/base/json.h"
#include "mlprof/profile/profile.h"
#include "mlprof/regions/regionrows.h"

/* Prints ROW, one of ROWS of PROFILE, as an object with its histogram; times are
   nanoseconds.  */
void page_regions_print_row(struct json *json, const struct profile *profile,
                            const struct regionrows *rows,
                            const struct regionrows_row *row);

#endif
