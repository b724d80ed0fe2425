/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the lines about regions of a data file (mlmon.out(5)), for mlmon.c.  */

#ifndef MLPROF_MLMON_REGIONS_H
#define MLPROF_MLMON_REGIONS_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* Reads the lines of regions, if the next line is `regions'.  The next line is then the
   first behind them.  */
bool mlmon_regions_read(struct profile *profile, struct fields *fields);

#endif
