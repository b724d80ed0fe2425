/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says which part of the run was spent on measuring regions, and how to reduce it, for
   regionsview.c.  */

#ifndef MLPROF_MEASURING_H
#define MLPROF_MEASURING_H

#include "mlprof/view/view.h"

/* The text for the first line, to be freed; empty if the part is less than a hundredth of
   the CPU time, or not known.  */
char *measuring_part(const struct view *view);

/* If the part is a tenth or more, prints which functions to leave out, the most called
   ones, and the plugin's argument for it.  */
void measuring_print(FILE *out, const struct view *view);

#endif
