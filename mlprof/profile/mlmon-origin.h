/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the lines of a data file that say where it was written, for mlmon.c.  */

#ifndef MLPROF_MLMON_ORIGIN_H
#define MLPROF_MLMON_ORIGIN_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* The content of the lines; all zero if they are missing.  */
struct mlmon_origin {
    char *host; /* to be freed */
    bool ranked;
    uint64_t rank, size;
};

/* Reads the lines `host' and `rank', either of which may be missing.  */
bool mlmon_origin_read(struct mlmon_origin *origin, struct fields *fields);

/* Makes ORIGIN the origin of all that PROFILE holds: of one whole file, which has no
   origin yet.  */
void mlmon_origin_put(struct profile *profile, const struct mlmon_origin *origin);

#endif
