/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the points of a data file, which are most of it, for mlmon.c.  */

#ifndef MLPROF_MLMON_POINTS_H
#define MLPROF_MLMON_POINTS_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* What the version of the file allows beside points in modules.  */
struct mlmon_points {
    /* The numbers of threads in the file, in the order of the profile's.  NULL: there are
       none.  */
    const struct index *threads;
    bool times;
};

/* Reads the number of a module, or `-' for none, which is PROFILE_NO_MODULE.  Returns
   false, and says nothing, if no module has that number.  */
bool mlmon_points_module(const struct profile *profile, struct fields *fields,
                         uint32_t *module);

/* Reads into PROFILE, which has the modules, labels and threads, what stands behind
   `counts ' on the line, and then the points.  Errors are handled as fields.h says.  */
bool mlmon_points_read(struct profile *profile, struct fields *fields,
                       const struct mlmon_points *told);

#endif
