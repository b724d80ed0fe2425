/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a flame graph: one SVG file that needs no other.  */

#ifndef MLPROF_FLAME_H
#define MLPROF_FLAME_H

#include "mlprof/view/view.h"

/* Boxes of functions, each on the one that called it and as wide as its samples;
   those that do not reach the threshold, or are narrower than a tenth of a point of the
   picture, are left out.  */
void flame_print(FILE *out, const struct view *view, const char *title);

#endif
