/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the tables that say what the counters in a program's storage count: calls and
   inclusive counts of source functions and allocation sites, for tables.c, and edges of
   flow graphs, for flowtables.c and arctables.c.  */

#ifndef MLPROF_COUNTERS_H
#define MLPROF_COUNTERS_H

#include "mlprof/base/index.h"
#include "mlprof/tables/reader.h"
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

/* Is called for each counter.  Sets the error of READER if the counter is wrong.  */
typedef void edgeterms_take(void *data, struct reader *reader,
                            const struct edgeterms_counter *counter);

/* Calls TAKE for each counter of a graph whose id is the first word of a key in IDS; the
   key's number is the graph's.  False and FAULT if the section is damaged.  */
bool edgeterms_read(const struct elffile *file, const struct index *ids,
                    edgeterms_take *take, void *data, struct fault *fault);

/* Allocation sites, from .ccprof.alloc, .ccprof.allocators and .ccprof.paths
   (doc/tables.md, "Allocation sites").  Each site has two counters: of blocks, and
   ALLOCTABLE_BYTES behind it of bytes.  The next site is ALLOCTABLE_SITE behind the site.
 */
#define ALLOCTABLE_BYTES 8
#define ALLOCTABLE_SITE  16

/* Texts point into .ccprof.str; "": none.  */
struct alloctable_site {
    uint64_t address; /* of the counter of blocks */
    const char *allocator, *symbol, *type;
};

/* The counters of what library code has allocated.  Either for a call outside of
   libraries: the symbol is that of the callee, which counts as the allocator, even if
   other objects can have the same symbol.  Or for a site: what the site has allocated for
   no such call.  There is no type.  */
struct alloctable_path {
    struct alloctable_site counters;
    /* 0: the counters of a call; otherwise the address of the site's counter of
       blocks.  */
    uint64_t site;
};

/* Starts as all zero.  */
struct alloctable {
    struct alloctable_site *sites;
    size_t count, capacity;
    struct alloctable_path *paths;
    size_t path_count, path_capacity;
    const char **definitions; /* symbols of allocators that are profiled */
    size_t definition_count, definition_capacity;
};

/* Adds the sites of FILE; texts are in STRINGS.  False and FAULT if the sections are
   damaged.  */
bool alloctable_read(struct alloctable *table, const struct elffile *file,
                     const struct unit_strings *strings, struct fault *fault);

void alloctable_free(struct alloctable *table);

/* A call in a source that returns a block of memory, from .ccprof.types (doc/tables.md,
   "Types of blocks").  */
struct typedtable_call {
    const struct unit *unit;
    uint32_t source; /* number in the unit, not 0 */
    uint32_t file;   /* number in the unit, not 0 */
    uint32_t line, column;
    const char *type; /* in .ccprof.str; NULL: not known */
    bool returned;    /* the source returns the call's result */
};

/* In the order of the file.  Starts as all zero; CALLS is to be freed.  */
struct typedtable {
    struct typedtable_call *calls;
    size_t count, capacity;
};

/* Adds the calls of FILE, whose UNITS live as long as TABLE.  False and FAULT if the
   section is damaged.  */
bool typedtable_read(struct typedtable *table, const struct units *units,
                     const struct elffile *file, struct fault *fault);

#endif
