/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the points of a data file, which are most of it, for mlmon.c.  */

#ifndef MLPROF_MLMON_POINTS_H
#define MLPROF_MLMON_POINTS_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* What else the file's version has.  */
struct mlmon_points {
    const struct index *threads; /* their numbers, in the order of the profile's; NULL:
                                    there are none */
    bool times;
};

/* Reads what stands behind `counts ' on the line, and the points, into PROFILE, which has
   the modules, labels and threads.  Otherwise as fields.h says.  */
bool mlmon_points_read(struct profile *profile, struct fields *fields,
                       const struct mlmon_points *told);

#endif
