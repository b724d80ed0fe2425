/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit: the content of the tables of one compilation unit, before encode.h encodes it
   in bytes. This module does not use GCC.

   A `struct unit' numbers the strings, files and sources. The numbers are assigned
   while functions are compiled, and the unit is written once at the end.

   A `struct part' describes one part of a compiled function: the whole function, or
   its hot or cold part. plugin/label/label.cc fills it, plugin/label/emit.cc writes
   it. plugin/alloc/alloc-table.cc uses one for the sites of a function. */

#ifndef CCPROF_UNIT_H
#define CCPROF_UNIT_H

#include "plugin/tables/memory.h"
#include "rt/format.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unit_source {
    unsigned name;         /* a string */
    unsigned symbol;       /* a string; 0: none */
    unsigned file;         /* a file; 0: unknown */
    unsigned line, column; /* start of the source; 0: unknown */
    unsigned flags;        /* enum ccprof_source without CCPROF_SOURCE_SYMBOL */
};

struct unit_hash {
    unsigned char bytes[CCPROF_HASH_SIZE]; /* all 0: unknown */
};

struct unit {
    struct distinct strings;
    struct distinct files;    /* keys are numbers of strings */
    struct distinct sources;  /* struct unit_source */
    struct unit_hash *hashes; /* per file; may end before the last file */
    size_t hash_count, hash_room;
};

/* Add an entry if it is new, and return its number, from 1. Names are copied. */
unsigned unit_string(struct unit *unit, const char *text);
unsigned unit_file(struct unit *unit, const char *name);
unsigned unit_source(struct unit *unit, const struct unit_source *source);

void unit_set_hash(struct unit *unit, unsigned file, const struct unit_hash *hash);

const struct unit_source *unit_get_source(const struct unit *unit, unsigned source);
unsigned unit_get_file(const struct unit *unit, unsigned file);
struct unit_hash unit_get_hash(const struct unit *unit, unsigned file);
const char *unit_get_string(const struct unit *unit, unsigned string);

void unit_free(struct unit *unit);

/* A position or range in a source file. FILE is a file of the unit, or 0 if unknown.
   START_COLUMN is 0 if there is no range. Columns start at 1; 0: unknown. */
struct part_position {
    unsigned file;
    unsigned line, column;
    unsigned start_line, start_column;
    unsigned end_line, end_column;
};

/* One inlined copy. Parent 0 is the function itself. Other parents have smaller
   numbers than their copies. */
struct part_copy {
    unsigned parent;
    unsigned source; /* 0: excluded */
    unsigned call_file, call_line, call_column;
};

struct part_point {
    unsigned copy;
    struct part_position position;
};

struct part_entry {
    unsigned label; /* start of the point's code */
    unsigned point; /* number in part.points */
};

struct part {
    unsigned source; /* the function's own source; 0: excluded */
    unsigned start_label, end_label;
    struct distinct copies; /* struct part_copy */
    struct distinct points; /* struct part_point */
    struct part_entry *entries;
    size_t count, room;
};

/* Add the copy or point if it is new, and return its number. */
unsigned part_copy(struct part *part, unsigned parent, unsigned source,
                   unsigned call_file, unsigned call_line, unsigned call_column);

unsigned part_point(struct part *part, unsigned copy,
                    const struct part_position *position);

/* Notes that the code from LABEL on belongs to POINT. LABEL is the number of an
   assembler label. */
void part_enter(struct part *part, unsigned label, unsigned point);

void part_clear(struct part *part);
void part_free(struct part *part);

#ifdef __cplusplus
}
#endif

#endif
