/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the allocation sites of one executable or shared object, out of .ccprof.alloc,
   .ccprof.allocators and .ccprof.paths (doc/tables.md, "Allocation sites"); for tables.c.
 */

#ifndef MLPROF_ALLOCTABLE_H
#define MLPROF_ALLOCTABLE_H

#include "mlprof/elf/elffile.h"
#include "mlprof/tables/unit.h"

/* The counter of bytes stands so far behind that of blocks, and the next site behind
   the site.  */
#define ALLOCTABLE_BYTES 8
#define ALLOCTABLE_SITE  16

/* Texts point into the strings; "" stands for none.  */
struct alloctable_site {
    uint64_t address; /* of its counter of blocks */
    const char *allocator, *symbol, *type;
};

/* Counters like those of a site, of what library code has allocated: for a call outside
   of libraries, whose callee is the allocator here and has the symbol, also where other
   objects can have the same one; or, of what a site has got, what was for no such call.
   There is no type.  */
struct alloctable_path {
    struct alloctable_site counters;
    uint64_t site; /* the address of that site's; 0: of a call */
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

/* Adds what FILE has; its texts are in STRINGS.  False and FAULT if it is damaged.  */
bool alloctable_read(struct alloctable *table, const struct elffile *file,
                     const struct unit_strings *strings, struct fault *fault);

void alloctable_free(struct alloctable *table);

#endif
