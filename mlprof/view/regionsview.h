/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what stands around views of regions.  */

#ifndef MLPROF_REGIONSVIEW_H
#define MLPROF_REGIONSVIEW_H

#include "mlprof/base/fault.h"
#include "mlprof/view/view.h"

/* False, and FAULT of the OPTION, if no regions were measured.  */
bool regionsview_check(const struct view *view, const char *option, struct fault *fault);

/* The first line above such views: how much was measured.  */
void regionsview_print_header(FILE *out, const struct view *view);

/* The calls that did not come to their end, if there are any, and what it cost to
   measure.  */
void regionsview_print_foot(FILE *out, const struct view *view);

#endif
