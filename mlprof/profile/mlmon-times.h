/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what mlmon.out(5) says of times; for mlmon.c.  */

#ifndef MLPROF_MLMON_TIMES_H
#define MLPROF_MLMON_TIMES_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* The line `times', which has been begun; starts with the one after it.  */
bool mlmon_times_line(struct profile *profile, struct fields *fields);

/* A point of time below PARENT, whose line has been read: BUCKET and COUNT are its
   address and count.  */
bool mlmon_times_point(struct profile *profile, struct fields *fields, uint32_t parent,
                       uint64_t bucket, uint64_t count);

#endif
