/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the names of one compilation unit, out of .ccprof.unit (doc/tables.md, "Unit");
   for units.c.  Others look them up.  */

#ifndef MLPROF_UNIT_H
#define MLPROF_UNIT_H

#include "mlprof/base/reader.h"
#include "rt/format.h"

/* The content of .ccprof.str; its last byte is a NUL unless it is empty.  */
struct unit_strings {
    const char *text;
    size_t size;
};

/* The string whose offset READER reads; "" where that is wrong.  */
const char *unit_string(struct reader *reader, const struct unit_strings *strings);

struct unit;

struct unit_source {
    const char *name;
    const char *symbol;    /* its name for the assembler; "": none */
    uint32_t file;         /* number of the file, 0: unknown */
    uint32_t line, column; /* 0: unknown */
    uint32_t flags;        /* of enum ccprof_source, but CCPROF_SOURCE_SYMBOL */
    bool unprofiled;       /* taken out by the report, see unprofile.h */
    bool folded;           /* likewise, but for what is not inlined */
    /* What it is in another build, and the unit of that; NULL: itself.  See same.h.  */
    const struct unit_source *same;
    const struct unit *same_unit;
};

struct unit_file {
    const char *name;
    const unsigned char *hash; /* MD5, CCPROF_HASH_SIZE bytes; NULL: unknown */
};

/* Names point into the strings, hashes into what was read.  */
struct unit {
    size_t offset;         /* in its section */
    uint8_t position;      /* enum ccprof_position */
    const char *directory; /* of the compilation; "": unknown */
    struct unit_file *files;
    size_t file_count;
    struct unit_source *sources;
    size_t source_count;
};

/* Reads the unit at READER into UNIT, which unit_free frees in any case.  Returns
   false if something is wrong, which READER then tells; *VERSION is the unit's.  */
bool unit_read(struct unit *unit, struct reader *reader,
               const struct unit_strings *strings, unsigned *version);

void unit_free(struct unit *unit);

/* By number, from 1; NULL for 0.  */
const char *unit_file(const struct unit *unit, uint32_t number);
const unsigned char *unit_hash(const struct unit *unit, uint32_t number);
const struct unit_source *unit_source(const struct unit *unit, uint32_t number);

/* The same; NULL also for one that is taken out, or folded, unless it is the function
   ITSELF that was compiled.  */
const struct unit_source *unit_shown(const struct unit *unit, uint32_t number);
const struct unit_source *unit_shown_itself(const struct unit *unit, uint32_t number);

#endif
