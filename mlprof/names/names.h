/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names sources as the user wants to read them, and tells which of them a pattern means,
   for whatever shows or chooses functions.  */

#ifndef MLPROF_NAMES_H
#define MLPROF_NAMES_H

#include "mlprof/base/pattern.h"
#include "mlprof/names/identity.h"

enum names_form {
    NAMES_READABLE, /* what makes names of C++ long is left out (readable.h) */
    NAMES_PLAIN,    /* as the compiler says it, without parameters */
    NAMES_FULL,     /* with parameters */
    NAMES_USUAL     /* none was asked for */
};

struct names_style {
    bool long_name; /* the whole name, not only its last component */
    enum names_form form;
    bool show_line; /* file and line stand behind it */
};

/* The name of a source as the style wants it; to be freed.  */
char *names_of(const struct identity_source *source, const struct names_style *style);

/* Ways to tell sources apart that are called alike, in the order in which they are tried;
   the two that are of readable names only come to what the one between does.  */
enum names_way {
    NAMES_LAMBDA_LINE,
    NAMES_LAMBDA_COLUMN,
    NAMES_ARGUMENTS,  /* all of a template's, readable */
    NAMES_PARAMETERS, /* readable if the others are */
    NAMES_WHOLE,      /* all that there is of the name */
    NAMES_LINE,
    NAMES_COLUMN,
    NAMES_WAYS
};

/* The name of a source that is told apart in one way, to be freed; NULL if there is
   nothing to be done in this way.  */
char *names_tell_apart(const struct identity_source *source,
                       const struct names_style *style, enum names_way way);

/* `FILE: LINE' of a source, without a control character; NULL if its file is not known.
   To be freed.  */
char *names_position(const struct identity_source *source);

/* Which functions a pattern means, MLton's rule: a beginning of `NAME  FILE: LINE'
   matches, with the source's plain name, whole or not, or with the one that it is SHOWN
   by, if not NULL.  */
bool names_match(const struct pattern *pattern, const struct identity_source *source,
                 const char *shown, bool long_name);

/* The same before names are settled: with the plain name or the one that STYLE wants.  */
bool names_match_in(const struct pattern *pattern, const struct identity_source *source,
                    const struct names_style *style);

/* Which functions a pattern of -focus and the like means, pprof's rule: it is found
   anywhere in the name, or in `NAME  FILE: LINE'; the name is the one that STYLE wants,
   the plain one, or the one with parameters.  */
bool names_contain(const struct pattern *pattern, const struct identity_source *source,
                   const struct names_style *style);

#endif
