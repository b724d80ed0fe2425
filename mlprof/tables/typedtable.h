/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads from .ccprof.types which types the blocks have that calls return (doc/tables.md,
   "Types of blocks"), for tables.c.  */

#ifndef MLPROF_TYPEDTABLE_H
#define MLPROF_TYPEDTABLE_H

#include "mlprof/tables/units.h"

/* A call in a source.  */
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
