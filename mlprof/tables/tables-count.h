/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the counters of source functions, of calls or inclusive ones, for tables.c.  */

#ifndef MLPROF_TABLES_COUNT_H
#define MLPROF_TABLES_COUNT_H

#include "mlprof/tables/units.h"

/* A counter of a source function.  */
struct tables_counter {
    uint64_t offset; /* address in the file of the counter's storage or record */
    const struct unit *unit;
    uint32_t source; /* number in the unit, not 0 */
    bool negative;   /* the counter is subtracted */
};

/* In the order of the file.  Starts as all zero; COUNTERS is to be freed.  */
struct tables_counters {
    struct tables_counter *counters;
    size_t count, capacity;
};

/* Adds the counters of the sections called NAME of FILE.  UNITS are the units of FILE,
   and live as long as COUNTERS.  */
bool tables_counters_read(struct tables_counters *counters, const struct units *units,
                          const struct elffile *file, const char *name,
                          struct fault *fault);

#endif
