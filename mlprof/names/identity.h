/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which sources are the same function, in one build and between two builds.
   Within a build sources are the same if they have the same symbol (without a symbol: the
   same name) and the same file, line and column (doc/tables.md, "Unit").  Shown names do
   not matter.  */

#ifndef MLPROF_IDENTITY_H
#define MLPROF_IDENTITY_H

#include "mlprof/base/index.h"
#include "mlprof/base/path.h"
#include "mlprof/base/pattern.h"
#include "mlprof/tables/unit.h"
#include "mlprof/tables/tables.h"

/* A source function, or something else that has a name.  */
struct identity_source {
    const char *name;
    const char *symbol;    /* NULL or "": none */
    const char *file;      /* NULL: unknown */
    const char *directory; /* the folder that FILE is relative to; NULL: unknown */
    uint32_t line, column; /* 0: unknown */
};

/* Numbers functions from 0; starts as all zero.  */
struct identity {
    struct intern texts;
    struct index index;
    char *file, *directory; /* of the source put last; may be NULL */
    uint32_t path;          /* the number of their path, if FILE is not NULL */
};

/* The source of a unit, with the unit's texts.  If it is in several builds, the source of
   the first.  */
struct identity_source identity_of(const struct unit *unit,
                                   const struct unit_source *source);

/* The number of a function; *FRESH tells whether it was added.  */
uint32_t identity_put(struct identity *identity, const struct identity_source *source,
                      bool *fresh);

/* The number of a function; false: it has none.  */
bool identity_get(struct identity *identity, const struct identity_source *source,
                  uint32_t *number);

/* The path of SOURCE, which was put last; NULL: unknown.  It lives as long as
   IDENTITY.  */
const char *identity_last_path(const struct identity *identity,
                               const struct identity_source *source);

/* A number that no function has or gets.  */
uint32_t identity_new(struct identity *identity);

void identity_free(struct identity *identity);

/* Whether the source starts in a file in a folder of system headers (GCC's
   cppdefault.cc), in a file whose path one of PATTERNS matches, or in no known file.  */
bool library_has(const struct identity_source *source, const struct patterns *patterns);

/* Pairing: matches the functions of a build with those of another one, for merged builds
   and for comparisons (compare/match.h).  Lines do not matter.

   Files are paired first: files with the same path, then files whose paths have the most
   last components in common, since two checkouts have the same folders below their roots.
   A file with several candidates stays unpaired.  Then functions are paired by key and
   file, in their order if several have the same key and file.  Functions may move to
   other files, so the rest are paired by key alone, if only one function on each side has
   the key.  */

#define PAIRING_NONE UINT32_MAX

/* A function: numbers of texts.  */
struct pairing_item {
    uint32_t key;
    uint32_t path; /* of its file; PAIRING_NONE: unknown */
};

/* Sets SAME, by number in HERE, to the number in BEFORE of the same function, or to
   PAIRING_NONE.  Changes the paths in HERE to those of the same files in BEFORE.  Both
   lists are in the order of lines.  */
void pairing_find(struct intern *texts, const struct pairing_item *before,
                  size_t before_count, struct pairing_item *here, size_t count,
                  uint32_t *same);

/* Sets, in each source of the COUNT builds, the same source of an earlier build
   (identity_of). Call this before any function is read from the tables.  BUILDS must live
   as long as their sources; tables may be bare.  */
void pairing_merge_builds(struct tables *const *builds, size_t count);

#endif
