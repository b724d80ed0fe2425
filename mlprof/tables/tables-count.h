/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters of source functions in the tables, of calls or inclusive ones; for
   tables.c.  */

#ifndef MLPROF_TABLES_COUNT_H
#define MLPROF_TABLES_COUNT_H

#include "mlprof/tables/tables.h"

/* As they stand in the file.  Starts as all zero; the counters are to be freed.  */
struct tables_counters {
    struct tables_counter *counters;
    size_t count, capacity;
};

/* Adds those of the sections called NAME.  The units of TABLES have been read, and live
   as long as COUNTERS.  */
bool tables_counters_read(struct tables_counters *counters, const struct tables *tables,
                          const char *name, struct fault *fault);

#endif
