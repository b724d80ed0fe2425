/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds which source functions of several builds of a program are the same: by their
   names for the assembler and their files, as the compiler was told these; those that are
   left, where there is only one of the name on each side, by their names alone, since
   files move.  Lines never tell.  Comparisons match by the same rules (match.h).  */

#ifndef MLPROF_SAME_H
#define MLPROF_SAME_H

#include "mlprof/tables/tables.h"

/* Has sources of each of COUNT builds know those of the builds before it that they are
   (identity_of), before the tables are asked for functions.  BUILDS live as long as their
   sources are asked for; some may be bare.  */
void same_find(struct tables *const *builds, size_t count);

#endif
