/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds which source functions of several builds of a program are the same, by the rules
   of pairing.h.  */

#ifndef MLPROF_SAME_H
#define MLPROF_SAME_H

#include "mlprof/tables/tables.h"

/* Sets, in each source of the COUNT builds, the source of an earlier build that it is
   (identity_of).  To be called before the tables are asked for functions.  BUILDS must
   live as long as their sources; tables may be bare.  */
void same_find(struct tables *const *builds, size_t count);

#endif
