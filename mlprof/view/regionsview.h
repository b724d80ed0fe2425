/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the real time of regions: the table, and what stands around it.  */

#ifndef MLPROF_REGIONSVIEW_H
#define MLPROF_REGIONSVIEW_H

#include "mlprof/view/view.h"

/* The first line above such a table: how much was measured.  */
void regionsview_print_header(FILE *out, const struct view *view);

/* The rows of the view's regions, and if calls were cold a second table of these.  */
void regionsview_print(FILE *out, const struct view *view);

/* The calls that did not come to their end, if there are any, and what it cost to
   measure.  */
void regionsview_print_foot(FILE *out, const struct view *view);

#endif
