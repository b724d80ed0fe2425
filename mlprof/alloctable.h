/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The allocation sites of one executable or shared object, out of .ccprof.alloc and
   .ccprof.allocators (doc/tables.md, "Allocation sites").  */

#ifndef MLPROF_ALLOCTABLE_H
#define MLPROF_ALLOCTABLE_H

#include "mlprof/unit.h"

/* The counter of bytes stands so far behind that of blocks, and the next site behind
   the site.  */
#define ALLOCTABLE_BYTES 8
#define ALLOCTABLE_SITE  16

/* Texts point into the strings; "" stands for none.  */
struct alloctable_site {
    uint64_t address; /* of its counter of blocks */
    const char *allocator, *symbol, *type;
};

/* Starts as all zero.  */
struct alloctable {
    struct alloctable_site *sites;
    size_t count, capacity;
    const char **definitions; /* symbols of allocators that are profiled */
    size_t definition_count, definition_capacity;
};

/* Adds the sites of one function.  Returns false if something is wrong, which READER
   then tells; nothing behind *VERSION has been read if that is another one.  */
bool alloctable_read(struct alloctable *table, struct reader *reader,
                     const struct unit_strings *strings, unsigned *version);

/* Adds all symbols of READER.  Likewise.  */
bool alloctable_read_definitions(struct alloctable *table, struct reader *reader,
                                 const struct unit_strings *strings);

void alloctable_free(struct alloctable *table);

#endif
