/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the tables that describe the counters in a program's storage. Counters of
   calls, inclusive counts and allocation sites are read by tables.c, and counters of
   edges by flowtables.c and arctables.c. Also reads the types of allocated blocks. */

#ifndef MLPROF_COUNTERS_H
#define MLPROF_COUNTERS_H

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/tables/reader.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/tables/unit.h"

/* A counter of a source function. */
struct tables_counter {
    uint64_t offset; /* address of the counter's storage in the file */
    const struct unit *unit;
    uint32_t source; /* number in the unit, not 0 */
    bool negative;   /* the counter is subtracted */
};

/* In the order of the file. Starts as all zero; COUNTERS is freed by free. */
struct tables_counters {
    struct tables_counter *counters;
    size_t count, capacity;
};

/* Appends the counters of all sections NAME of FILE. UNITS are the units of FILE and
   must live as long as COUNTERS. If a section is damaged, returns false and sets
   FAULT. */
bool tables_counters_read(struct tables_counters *counters, const struct units *units,
                          const struct elffile *file, const char *name,
                          struct fault *fault);

/* A counter of an edge, from .ccprof.edge (doc/tables.md, "Flow graphs"). */
struct edgeterms_counter {
    uint64_t address; /* address of the counter's storage in the file */
    uint32_t flow;    /* number of the graph */
    uint32_t edge;    /* number in the graph */
    bool negative;    /* the counter is subtracted */
};

/* Called for each counter. If the counter is invalid, sets the error of READER. */
typedef void edgeterms_take(void *data, struct reader *reader,
                            const struct edgeterms_counter *counter);

/* Calls TAKE for each counter of the graphs in IDS. IDS has, for the ID of each graph,
   the number of the graph. If the section is damaged, returns false and sets FAULT. */
bool edgeterms_read(const struct elffile *file, const struct index *ids,
                    edgeterms_take *take, void *data, struct fault *fault);

/* Allocation sites, from .ccprof.alloc, .ccprof.allocators and .ccprof.paths
   (doc/tables.md, "Allocation sites"). Each site has two counters. The first one
   counts blocks. The second one counts bytes; it is ALLOCTABLE_BYTES after the first.
   Sites are ALLOCTABLE_SITE bytes apart. */
#define ALLOCTABLE_BYTES 8
#define ALLOCTABLE_SITE  16

/* Texts point into .ccprof.str; "" means none. */
struct alloctable_site {
    uint64_t address; /* address of the counter of blocks */
    const char *allocator, *symbol, *type;
};

/* Counters of the memory that library code allocates. If SITE is 0, the counters
   belong to a call outside of libraries. SYMBOL is then the symbol of the called
   function, which counts as the allocator, even if other objects have the same symbol.
   If SITE is not 0, the counters belong to an allocation site. They count the memory
   that the site allocated without a call outside of libraries. There is no type. */
struct alloctable_path {
    struct alloctable_site counters;
    /* 0, or the address of the site's counter of blocks. */
    uint64_t site;
};

/* Starts as all zero. */
struct alloctable {
    struct alloctable_site *sites;
    size_t count, capacity;
    BUF_VECTOR(struct alloctable_path) paths;
    BUF_VECTOR(const char *) definitions; /* symbols of profiled allocators */
};

/* Appends the sites of FILE; STRINGS has their texts. If a section is damaged, returns
   false and sets FAULT. */
bool alloctable_read(struct alloctable *table, const struct elffile *file,
                     const struct unit_strings *strings, struct fault *fault);

void alloctable_free(struct alloctable *table);

/* A call that returns a block of memory, from .ccprof.types (doc/tables.md, "Types of
   blocks"). */
struct typedtable_call {
    const struct unit *unit;
    uint32_t source; /* number in the unit, not 0 */
    uint32_t file;   /* number in the unit, not 0 */
    uint32_t line, column;
    const char *type; /* in .ccprof.str; NULL: unknown */
    bool returned;    /* the source returns the result of the call */
};

/* In the order of the file. Starts as all zero; CALLS is freed by free. */
struct typedtable {
    struct typedtable_call *calls;
    size_t count, capacity;
};

/* Appends the calls of FILE. UNITS are the units of FILE and must live as long as
   TABLE. If the section is damaged, returns false and sets FAULT. */
bool typedtable_read(struct typedtable *table, const struct units *units,
                     const struct elffile *file, struct fault *fault);

#endif
