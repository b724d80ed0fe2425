/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads which counters there are: of source functions, of calls or inclusive ones, for
   tables.c, and of edges, for flowtables.c and arctables.c.  */

#ifndef MLPROF_COUNTERTABLES_H
#define MLPROF_COUNTERTABLES_H

#include "mlprof/base/index.h"
#include "mlprof/base/reader.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/tables/unit.h"

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

/* A counter of an edge, from .ccprof.edge (doc/tables.md, "Flow graphs").  */
struct edgeterms_counter {
    uint64_t address; /* of the counter's storage, as in the file */
    uint32_t flow;    /* the number of the graph */
    uint32_t edge;    /* the number in the graph */
    bool negative;    /* the counter is subtracted */
};

/* Takes a counter.  If it cannot be right, READER is told why.  */
typedef void edgeterms_take(void *data, struct reader *reader,
                            const struct edgeterms_counter *counter);

/* Calls TAKE for each counter of a graph whose id is the first word of a key in IDS; the
   key's number is the graph's.  False and FAULT if the section is damaged.  */
bool edgeterms_read(const struct elffile *file, const struct index *ids,
                    edgeterms_take *take, void *data, struct fault *fault);

#endif
