/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the compilation units of an executable or shared object from .ccprof.unit and
   .ccprof.str (doc/tables.md, "Unit"), and the arguments of the plugin in each
   compilation. Later rooms look names up here.  */

#ifndef MLPROF_UNIT_H
#define MLPROF_UNIT_H

#include "mlprof/base/index.h"
#include "mlprof/tables/reader.h"
#include "mlprof/elf/elffile.h"
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
    bool unprofiled;       /* taken out by the report (names.h) */
    bool folded;           /* taken out by the report where it is inlined */
    /* The function that this is in an earlier build, and its unit (identity.h).  NULL:
       there is none.  */
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

/* The file with this number, from 1; the source with this number.  NULL for 0.  */
const char *unit_file(const struct unit *unit, uint32_t number);
const unsigned char *unit_hash(const struct unit *unit, uint32_t number);
const struct unit_source *unit_source(const struct unit *unit, uint32_t number);

/* The source with this number.  NULL if there is none, if it is taken out, or if it is
   folded and not the function ITSELF that was compiled.  */
const struct unit_source *unit_shown(const struct unit *unit, uint32_t number);
const struct unit_source *unit_shown_itself(const struct unit *unit, uint32_t number);

/* All units.  Starts as all zero.  */
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

/* The arguments of the plugin that name functions (doc/tables.md, "Asked").  Starts as
   all zero.  */
struct requests {
    struct intern patterns; /* NAME=PATTERN */
    struct intern met;      /* the patterns that mean a function of some unit */
    struct intern lacks;    /* excluded functions that allocate, by name */
    bool lto;               /* at least one unit was compiled for LTO */
    bool linked; /* some code was made with the plugin, at the link or before */
};

/* Adds the requests in FILE.  */
void requests_read(struct requests *requests, const struct elffile *file);

/* Units for LTO were compiled with the plugin but linked without it.  */
bool requests_is_unlinked(const struct requests *requests);

/* Whether pattern NUMBER means no function.  */
bool requests_is_missed(const struct requests *requests, uint32_t number);

void requests_free(struct requests *requests);

#endif
