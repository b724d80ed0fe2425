/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the lines of a data file that tell where it was written, for mlmon.c.  */

#ifndef MLPROF_MLMON_ORIGIN_H
#define MLPROF_MLMON_ORIGIN_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* What the lines tell; all zero if they are not there.  */
struct mlmon_origin {
    char *host; /* to be freed */
    bool ranked;
    uint64_t rank, size;
};

/* Reads `host' and `rank', each if it is there.  */
bool mlmon_origin_read(struct mlmon_origin *origin, struct fields *fields);

/* Makes ORIGIN that of all that PROFILE, which has none yet, has of a whole file.  */
void mlmon_origin_put(struct profile *profile, const struct mlmon_origin *origin);

#endif
