/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit: numbers the strings, files and sources of one unit, for all that write such
   numbers into tables.  The numbers are given while functions are compiled, and the
   unit is written once at the end.  Knows nothing of GCC.  */

#ifndef CCPROF_UNIT_H
#define CCPROF_UNIT_H

#include "plugin/tables/distinct.h"
#include "rt/format.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unit_source {
    unsigned name;         /* a string */
    unsigned symbol;       /* a string, 0: none */
    unsigned file;         /* a file, 0: unknown */
    unsigned line, column; /* where the source starts, 0: unknown */
    unsigned flags;        /* enum ccprof_source, but CCPROF_SOURCE_SYMBOL */
};

struct unit_hash {
    unsigned char bytes[CCPROF_HASH_SIZE]; /* all 0: unknown */
};

struct unit {
    struct distinct strings;
    struct distinct files;    /* the number of a string */
    struct distinct sources;  /* struct unit_source */
    struct unit_hash *hashes; /* those of files that have been told */
    size_t hash_count, hash_room;
};

/* Numbers from 1.  The names are copied.  */
unsigned unit_string(struct unit *unit, const char *text);
unsigned unit_file(struct unit *unit, const char *name);
unsigned unit_source(struct unit *unit, const struct unit_source *source);

/* Tells the hash of a file.  */
void unit_set_hash(struct unit *unit, unsigned file, const struct unit_hash *hash);

const struct unit_source *unit_get_source(const struct unit *unit, unsigned source);
unsigned unit_get_file(const struct unit *unit, unsigned file);
struct unit_hash unit_get_hash(const struct unit *unit, unsigned file);
const char *unit_get_string(const struct unit *unit, unsigned string);

void unit_free(struct unit *unit);

#ifdef __cplusplus
}
#endif

#endif
