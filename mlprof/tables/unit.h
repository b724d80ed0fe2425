/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the compilation units of an executable or shared object from .ccprof.unit and
   .ccprof.str (doc/tables.md, "Unit"), and the plugin's arguments in each compilation
   from .ccprof.asked. Later rooms look up names of functions and files here. */

#ifndef MLPROF_UNIT_H
#define MLPROF_UNIT_H

#include "mlprof/base/index.h"
#include "mlprof/tables/reader.h"
#include "mlprof/elf/elffile.h"
#include "rt/format.h"

/* The content of .ccprof.str. If it is not empty, its last byte is NUL. */
struct unit_strings {
    const char *text;
    size_t size;
};

/* Reads an offset and returns the string at this offset; "" if the offset is invalid. */
const char *unit_string(struct reader *reader, const struct unit_strings *strings);

struct unit;

struct unit_source {
    const char *name;
    const char *symbol;    /* symbol in the assembly code; "": none */
    uint32_t file;         /* number of the file; 0: unknown */
    uint32_t line, column; /* 0: unknown */
    uint32_t flags;        /* enum ccprof_source, without CCPROF_SOURCE_SYMBOL */
    bool unprofiled;       /* removed by the report (names.h) */
    bool folded;           /* removed by the report where it is inlined */
    /* The same function in an earlier build, and its unit (identity.h). NULL: none. */
    const struct unit_source *same;
    const struct unit *same_unit;
};

struct unit_file {
    const char *name;          /* as recorded */
    const char *path;          /* see mlprof/base/sourcefile.h */
    const unsigned char *hash; /* MD5, CCPROF_HASH_SIZE bytes; NULL: unknown */
};

/* Names point into .ccprof.str, hashes into .ccprof.unit. */
struct unit {
    size_t offset;         /* offset in its section */
    uint8_t position;      /* enum ccprof_position */
    const char *directory; /* folder of the compilation; "": unknown */
    struct unit_file *files;
    size_t file_count;
    struct unit_source *sources;
    size_t source_count;
};

/* The functions return the path of a file, its recorded name, the hash of a file, and a
   source, by number from 1. For number 0 they return NULL. */
const char *unit_file(const struct unit *unit, uint32_t number);
const char *unit_file_name(const struct unit *unit, uint32_t number);
const unsigned char *unit_hash(const struct unit *unit, uint32_t number);
const struct unit_source *unit_source(const struct unit *unit, uint32_t number);

/* Return the source with this number; NULL if it does not exist or is removed by the
   report. unit_shown also returns NULL if the source is removed where it is inlined.
   unit_shown_itself is for the function itself, not for an inlined copy. */
const struct unit_source *unit_shown(const struct unit *unit, uint32_t number);
const struct unit_source *unit_shown_itself(const struct unit *unit, uint32_t number);

/* All units of a file. Starts as all zero. */
struct units {
    struct unit_strings strings;
    struct unit *units; /* by offset */
    size_t count, capacity;
};

/* Reads the units of FILE, which must live as long as UNITS. The caller must free
   UNITS, even after an error. If the units are damaged, returns false and sets FAULT. */
bool units_read(struct units *units, const struct elffile *file, struct fault *fault);

/* Returns the unit that starts at OFFSET in its section, or NULL. */
const struct unit *units_at(const struct units *units, uint32_t offset);

void units_free(struct units *units);

/* The plugin's arguments that name functions, and facts about LTO (doc/tables.md,
   "Asked"). Starts as all zero. */
struct requests {
    struct intern patterns; /* NAME=PATTERN */
    struct intern matched;  /* patterns that match a function of some unit */
    struct intern lacks;    /* excluded functions that allocate */
    bool lto;               /* at least one unit was compiled for LTO */
    bool linked;            /* LTO units were linked with the plugin */
};

/* Adds the requests in FILE. */
void requests_read(struct requests *requests, const struct elffile *file);

/* Returns whether units for LTO were compiled with the plugin but linked without the
   plugin. */
bool requests_is_unlinked(const struct requests *requests);

/* Returns whether pattern NUMBER matches no function. */
bool requests_is_missed(const struct requests *requests, uint32_t number);

void requests_free(struct requests *requests);

#endif
