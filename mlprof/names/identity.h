/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which sources are the same function (doc/tables.md, "Unit"): those with the
   same symbol (without a symbol: the same name) and the same file, line and column.
   Names as they are shown do not matter.  */

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

/* Pairs the functions of a build with those of another one, for merged builds
   and for comparisons (compare/match.h).

   Files are paired first: those with the same path; of the rest those whose paths end
   with the most components alike, which are the folders below the roots of two checkouts.
   A file that could be one of several is left alone.  Then functions are paired by key
   and file; several that have both alike, in their order.  Of the rest, since functions
   move to other files, those whose key only one function has on each side.  Lines do not
   matter.  */

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

/* Sets, in each source of the COUNT builds, the source of an earlier build that it is
   (identity_of).  To be called before the tables are asked for functions.  BUILDS must
   live as long as their sources; tables may be bare.  */
void pairing_merge_builds(struct tables *const *builds, size_t count);

#endif
