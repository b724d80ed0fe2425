/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells which part of the run it was to measure regions, and how to have less of it.  For
   regionsview.c.  */

#ifndef MLPROF_MEASURING_H
#define MLPROF_MEASURING_H

#include "mlprof/view/view.h"

/* What the first line says of it, to be freed; empty if it was not a hundredth of the
   CPU time, or this is not known.  */
char *measuring_part(const struct view *view);

/* If it was a tenth: which functions to leave out, those that are called most, and the
   plugin's argument that does.  */
void measuring_print(FILE *out, const struct view *view);

#endif
