/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the names of one compilation unit from .ccprof.unit (doc/tables.md, "Unit"), for
   units.c.  Later rooms look names up here.  */

#ifndef MLPROF_UNIT_H
#define MLPROF_UNIT_H

#include "mlprof/base/reader.h"
#include "rt/format.h"

/* The content of .ccprof.str.  Its last byte is NUL, unless it is empty.  */
struct unit_strings {
    const char *text;
    size_t size;
};

/* Reads an offset and returns the string there; "" if the offset is wrong.  */
const char *unit_string(struct reader *reader, const struct unit_strings *strings);

struct unit;

struct unit_source {
    const char *name;
    const char *symbol;    /* its name for the assembler; "": none */
    uint32_t file;         /* number of the file, 0: unknown */
    uint32_t line, column; /* 0: unknown */
    uint32_t flags;        /* of enum ccprof_source, without CCPROF_SOURCE_SYMBOL */
    bool unprofiled;       /* taken out by the report (unprofile.h) */
    bool folded;           /* taken out by the report where it is inlined */
    /* The function that this is in an earlier build, and its unit (same.h).  NULL: there
       is none.  */
    const struct unit_source *same;
    const struct unit *same_unit;
};

struct unit_file {
    const char *name;
    const unsigned char *hash; /* MD5, CCPROF_HASH_SIZE bytes; NULL: unknown */
};

/* Names point into .ccprof.str, hashes into .ccprof.unit.  */
struct unit {
    size_t offset;         /* in its section */
    uint8_t position;      /* enum ccprof_position */
    const char *directory; /* the folder of the compilation; "": unknown */
    struct unit_file *files;
    size_t file_count;
    struct unit_source *sources;
    size_t source_count;
};

/* Reads the unit at READER into UNIT, which unit_free frees in any case, and its version
   into *VERSION.  Returns false if something is wrong; READER then says what.  */
bool unit_read(struct unit *unit, struct reader *reader,
               const struct unit_strings *strings, unsigned *version);

void unit_free(struct unit *unit);

/* The file with this number, from 1; the source with this number.  NULL for 0.  */
const char *unit_file(const struct unit *unit, uint32_t number);
const unsigned char *unit_hash(const struct unit *unit, uint32_t number);
const struct unit_source *unit_source(const struct unit *unit, uint32_t number);

/* The source with this number.  NULL if there is none, if it is taken out, or if it is
   folded and not the function ITSELF that was compiled.  */
const struct unit_source *unit_shown(const struct unit *unit, uint32_t number);
const struct unit_source *unit_shown_itself(const struct unit *unit, uint32_t number);

#endif
