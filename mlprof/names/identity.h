/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which sources are the same function, in one build and in two builds. Within
   a build, two sources are the same function if they have the same file, line and
   column, and the same symbol, or the same name if there is no symbol (doc/tables.md,
   "Unit"). The names shown to the user do not matter. Used by all modules that
   combine sources of several units or builds. */

#ifndef MLPROF_IDENTITY_H
#define MLPROF_IDENTITY_H

#include "mlprof/base/index.h"
#include "mlprof/base/pattern.h"
#include "mlprof/tables/unit.h"
#include "mlprof/tables/tables.h"

/* A source function, or another named row. */
struct identity_source {
    const char *name;
    const char *symbol;    /* NULL or "": no symbol */
    const char *file;      /* path (mlprof/base/sourcefile.h); NULL: unknown */
    uint32_t line, column; /* 0: unknown */
};

/* Numbers functions from 0. All members start as zero. */
struct identity {
    struct intern texts;
    struct index index;
};

/* Returns the source of a unit. The texts belong to the unit. If the function is in
   several builds, returns the source of the first build. */
struct identity_source identity_of(const struct unit *unit,
                                   const struct unit_source *source);

/* Returns the number of a function. Sets *FRESH to whether the function was added. */
uint32_t identity_put(struct identity *identity, const struct identity_source *source,
                      bool *fresh);

/* Finds the number of a function. Returns false if it has none. */
bool identity_get(struct identity *identity, const struct identity_source *source,
                  uint32_t *number);

/* Returns a number that is different from the numbers of all present and later
   functions. */
uint32_t identity_new(struct identity *identity);

void identity_free(struct identity *identity);

/* Returns whether the source is library code. A source is library code if its file is
   in a folder of system headers (GCC's cppdefault.cc), matches one of PATTERNS, or is
   unknown. */
bool library_has(const struct identity_source *source, const struct patterns *patterns);

/* Pairing: matches the functions of one build with the functions of another build.
   Used for merged builds and for comparisons (compare/match.h). Line numbers do not
   matter.

   Files are paired first. Files with the same path are pairs. Then the files
   whose paths have the longest common end are paired, because two checkouts have the
   same folders below their roots. A file with several candidates stays unpaired.

   Then functions are paired by key and file. If several functions have the same key
   and file, they are paired in their order. Functions may move to other files.
   Therefore the remaining functions are paired by key only, if each side has exactly
   one function with this key. */

#define PAIRING_NONE UINT32_MAX

/* A function, described by numbers of texts. */
struct pairing_item {
    uint32_t key;
    uint32_t path; /* path of its file; PAIRING_NONE: unknown */
};

/* For each function in HERE, sets SAME to the number of the same function in BEFORE,
   or to PAIRING_NONE. Changes the paths in HERE to the paths of the same files in
   BEFORE. Both lists must be sorted by line. */
void pairing_find(struct intern *texts, const struct pairing_item *before,
                  size_t before_count, struct pairing_item *here, size_t count,
                  uint32_t *same);

/* Sets, in each source of the COUNT builds, the same source of an earlier build (see
   identity_of). Call this before any function is read from the tables. BUILDS must
   live as long as their sources. Tables may be bare. */
void pairing_merge_builds(struct tables *const *builds, size_t count);

#endif
