/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the counters of source functions in the tables, of calls or inclusive ones; for
   tables.c.  */

#ifndef MLPROF_TABLES_COUNT_H
#define MLPROF_TABLES_COUNT_H

#include "mlprof/tables/units.h"

/* A counter of the calls of a source function.  */
struct tables_counter {
    uint64_t offset; /* in the module's thread-local storage */
    const struct unit *unit;
    uint32_t source; /* of the unit, not 0 */
    bool negative;   /* to be subtracted */
};

/* As they stand in the file.  Starts as all zero; the counters are to be freed.  */
struct tables_counters {
    struct tables_counter *counters;
    size_t count, capacity;
};

/* Adds those of the sections of FILE called NAME.  UNITS are its units, and live as long
   as COUNTERS.  */
bool tables_counters_read(struct tables_counters *counters, const struct units *units,
                          const struct elffile *file, const char *name,
                          struct fault *fault);

#endif
