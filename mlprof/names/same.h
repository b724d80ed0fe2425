/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds which source functions of several builds of a program are the same: first by
   symbol and file, as the compiler was told the file.  Of the rest, since files move, by
   symbol alone, where there is only one of the symbol on each side.  Lines do not matter.
   Comparisons match by the same rules (match.h).  */

#ifndef MLPROF_SAME_H
#define MLPROF_SAME_H

#include "mlprof/tables/tables.h"

/* Sets, in each source of the COUNT builds, the source of an earlier build that it is
   (identity_of).  To be called before the tables are asked for functions.  BUILDS must
   live as long as their sources; tables may be bare.  */
void same_find(struct tables *const *builds, size_t count);

#endif
