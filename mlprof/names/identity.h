/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which sources are the same function (doc/tables.md, "Unit"): those with the
   same symbol (without a symbol: the same name) and the same file, line and column.
   Names as they are shown do not matter.  */

#ifndef MLPROF_IDENTITY_H
#define MLPROF_IDENTITY_H

#include "mlprof/base/index.h"
#include "mlprof/base/intern.h"
#include "mlprof/base/path.h"
#include "mlprof/base/pattern.h"
#include "mlprof/tables/unit.h"

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

#endif
