/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which sources are one function (doc/tables.md, "Unit"): those with the same
   symbol, or if they have none the same name, and the same file, line and column.  Names
   that are shown never tell.  */

#ifndef MLPROF_IDENTITY_H
#define MLPROF_IDENTITY_H

#include "mlprof/base/index.h"
#include "mlprof/base/intern.h"
#include "mlprof/tables/unit.h"

/* A source function; or something with a name that is none.  */
struct identity_source {
    const char *name;
    const char *symbol;    /* its name for the assembler; NULL or "": none */
    const char *file;      /* NULL: unknown */
    const char *directory; /* that FILE is relative to; NULL: unknown */
    uint32_t line, column; /* 0: unknown */
};

/* Numbers functions from 0; starts as all zero.  */
struct identity {
    struct intern texts;
    struct index index;
    char *file, *directory; /* of the source put last; either may be NULL */
    uint32_t path;          /* and their path, if FILE is not */
};

/* The source of a unit, whose texts it has; of several builds that of the first that has
   it.  */
struct identity_source identity_of(const struct unit *unit,
                                   const struct unit_source *source);

/* The number of the function; *FRESH tells that it is a new one.  */
uint32_t identity_put(struct identity *identity, const struct identity_source *source,
                      bool *fresh);

/* The path of FILE, which may be relative to DIRECTORY, NULL if that is unknown, without
   `.' and `..'; to be freed.  */
char *identity_path(const char *directory, const char *file);

/* A number that is no function's: nothing that is put in gets it.  */
uint32_t identity_new(struct identity *identity);

void identity_free(struct identity *identity);

#endif
