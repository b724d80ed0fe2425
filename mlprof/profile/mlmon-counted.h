/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the lines of mlmon.out(5) about counters; for mlmon.c.  */

#ifndef MLPROF_MLMON_COUNTED_H
#define MLPROF_MLMON_COUNTED_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* The line before the counters, which is there if there is something to tell; starts with
   the one after it.  */
bool mlmon_counted_uncounted(struct profile *profile, struct fields *fields);

/* The counters, and the targets if there are any; the line `counters' has been begun.  */
bool mlmon_counted_read(struct profile *profile, struct fields *fields);

#endif
