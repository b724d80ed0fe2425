/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the lines about the heap of a data file (mlmon.out(5)), for mlmon.c.  */

#ifndef MLPROF_MLMON_HEAP_H
#define MLPROF_MLMON_HEAP_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* Reads the lines of the heap, if the next line is `heap'; LIVES tells that the version
   of the file has samples and what became of blocks, SPANS that it has the heap over
   time, and points of phases and of threads, whose numbers in the file are THREADS in the
   order of the profile's, REACH that it may tell which blocks can be reached.  The next
   line is then the first behind them.  */
bool mlmon_heap_read(struct profile *profile, struct fields *fields, bool lives,
                     bool spans, bool reach, struct index *threads);

#endif
