/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the compilation units of one executable or shared object from .ccprof.unit and
   .ccprof.str (doc/tables.md, "Unit"), for tables.c.  */

#ifndef MLPROF_UNITS_H
#define MLPROF_UNITS_H

#include "mlprof/elf/elffile.h"
#include "mlprof/tables/unit.h"

/* Starts as all zero.  */
struct units {
    struct unit_strings strings;
    struct unit *units; /* by offset */
    size_t count, capacity;
};

/* Reads the units of FILE, which lives as long as UNITS.  False and FAULT if they are
   damaged; UNITS is to be freed in any case.  */
bool units_read(struct units *units, const struct elffile *file, struct fault *fault);

/* The number of the unit at OFFSET in its section; false if none starts there.  */
bool units_find(const struct units *units, uint32_t offset, uint32_t *number);

/* The unit that starts at OFFSET, or NULL.  */
const struct unit *units_at(const struct units *units, uint32_t offset);

void units_free(struct units *units);

#endif
