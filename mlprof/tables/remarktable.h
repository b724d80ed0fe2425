/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the loops of compiled functions and what GCC did with them, from .ccprof.remarks
   (doc/tables.md, "Remarks"). tables.c reads them when it opens a file;
   program/remarked.c joins them with the functions. */

#ifndef MLPROF_REMARKTABLE_H
#define MLPROF_REMARKTABLE_H

#include "mlprof/base/buf.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/tables/unit.h"
#include "rt/format.h"

struct remarktable_copy {
    uint32_t parent;       /* number of the copy around it; 0: the function itself */
    uint32_t source;       /* number in the unit; 0: excluded */
    uint32_t file;         /* number in the unit of the call's file; 0: unknown */
    uint32_t line, column; /* of the call */
};

/* One thing that GCC did. Texts point into .ccprof.str. */
struct remarktable_remark {
    uint64_t what; /* enum ccprof_remark, or a value of a later version */
    uint64_t number;
    uint32_t line; /* of the statement that is meant; 0: unknown */
    const char *text, *about;
};

struct remarktable_loop {
    uint32_t outer; /* number in the function of the loop around it, from 1; 0: none */
    uint32_t copy;  /* number in the function; 0: the function itself */
    uint32_t file;  /* number in the unit, not 0 */
    uint32_t line, column; /* position of GCC's messages */
    uint32_t first_line, first_column, last_line, last_column;
    size_t first_remark, remarks;
};

struct remarktable_function {
    const struct unit *unit;
    uint64_t address;          /* in the file */
    uint32_t source;           /* number in the unit; 0: excluded */
    size_t first_copy, copies; /* copy 1 is the first */
    size_t first_loop, loops;
};

/* In the order of the file. Starts as all zero. */
struct remarktable {
    BUF_VECTOR(struct remarktable_function) functions;
    BUF_VECTOR(struct remarktable_copy) copies;
    BUF_VECTOR(struct remarktable_loop) loops;
    BUF_VECTOR(struct remarktable_remark) remarks;
};

/* Appends the loops of FILE. UNITS are the units of FILE and must live as long as
   TABLE. If the section is damaged, returns false and sets FAULT. */
bool remarktable_read(struct remarktable *table, const struct units *units,
                      const struct elffile *file, struct fault *fault);

void remarktable_free(struct remarktable *table);

#endif
