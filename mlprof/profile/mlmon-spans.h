/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the lines about the heap over time of a data file (mlmon.out(5)), for
   mlmon-heap.c.  */

#ifndef MLPROF_MLMON_SPANS_H
#define MLPROF_MLMON_SPANS_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/heapdata.h"

/* Reads the line `times' and those of the buckets, if the next line is the first.  */
bool mlmon_spans_head(struct heaptimes *times, struct fields *fields);

/* Reads the lines `born' behind that of a point which has AMOUNTS, whose blocks have SIZE
   if they were SAMPLED, and adds their cells, of no node yet, and what is young to
   AMOUNTS.  */
bool mlmon_spans_point(struct heaptimes *times, struct fields *fields, bool sampled,
                       uint64_t size, struct heapdata_amount *amounts);

#endif
