/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what mlmon.out(5) says of regions; for mlmon.c.  */

#ifndef MLPROF_MLMON_REGIONS_H
#define MLPROF_MLMON_REGIONS_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* The lines of regions, if the next one is `regions': then those up to the one that is
   none of theirs, which comes next.  */
bool mlmon_regions_read(struct profile *profile, struct fields *fields);

#endif
