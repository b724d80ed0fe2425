/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the lines about counters of a data file (mlmon.out(5)), for mlmon.c.  */

#ifndef MLPROF_MLMON_COUNTED_H
#define MLPROF_MLMON_COUNTED_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* Reads the lines `uncounted' and `switched', which may be missing, and begins the line
   behind them.  */
bool mlmon_counted_uncounted(struct profile *profile, struct fields *fields);

/* Reads the counters, and the targets if there are any.  The line `counters' has been
   begun.  RESTS: calls of the first target may be told as the rest.  */
bool mlmon_counted_read(struct profile *profile, struct fields *fields, bool rests);

#endif
