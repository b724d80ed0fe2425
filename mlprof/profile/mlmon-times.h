/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the times of samples in a data file (mlmon.out(5)), for mlmon.c.  */

#ifndef MLPROF_MLMON_TIMES_H
#define MLPROF_MLMON_TIMES_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* Reads the line `times', which has been begun, and begins the line behind it.  */
bool mlmon_times_line(struct profile *profile, struct fields *fields);

/* Adds a point of time below PARENT, whose line has been read.  BUCKET is the point's
   address and COUNT its count.  */
bool mlmon_times_point(struct profile *profile, struct fields *fields, uint32_t parent,
                       uint64_t bucket, uint64_t count);

#endif
