/* SPDX-License-Identifier: MIT */
/* The table of samples: a hash table of fixed size in buckets of four.  What is
   sampled again is added where it is; in a full bucket the point with the
   smallest count is moved to the log (the design of pprof: Russ Cox, "How To
   Build a User-Level CPU Profiler", 2013).

   At any time: samples = counts in the table + counts in the log + lost.  */

#ifndef CCPROF_TABLE_H
#define CCPROF_TABLE_H

#include "log.h"

#define CCPROF_TABLE_BITS    12
#define CCPROF_TABLE_BUCKETS (1 << CCPROF_TABLE_BITS)
#define CCPROF_TABLE_WAYS    4

/* All zeros is an empty table.  */
struct ccprof_table {
    _Atomic uint64_t samples; /* added, lost ones included */
    _Atomic uint64_t lost;
    ccprof_spin busy[CCPROF_TABLE_BUCKETS];
    bool frozen[CCPROF_TABLE_BUCKETS];
    struct ccprof_point bucket[CCPROF_TABLE_BUCKETS][CCPROF_TABLE_WAYS];
};

/* Adds WEIGHT (at least 1) samples at PC.  Async-signal-safe, any thread.  */
void ccprof_table_add(struct ccprof_table *table, struct ccprof_log *log, uint64_t pc,
                      uint64_t weight);

/* What is added from now on is lost; nothing changes in the table.  */
void ccprof_table_freeze(struct ccprof_table *table);

/* Calls VISIT for each point of a frozen table until it returns nonzero, and
   returns that.  */
int ccprof_table_each(const struct ccprof_table *table,
                      int (*visit)(void *context, const struct ccprof_point *point),
                      void *context);

#endif
