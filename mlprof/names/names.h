/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names sources in the user's style, makes the names of a list unique, decides which
   sources a pattern means, and takes sources out of the tables (-unprofile).  For all
   modules that show or choose functions.  */

#ifndef MLPROF_NAMES_H
#define MLPROF_NAMES_H

#include "mlprof/base/pattern.h"
#include "mlprof/names/identity.h"
#include "mlprof/program/program.h"
#include "mlprof/base/index.h"

enum names_form {
    NAMES_READABLE, /* in C++, long names are shortened (readable.h) */
    NAMES_PLAIN,    /* without parameters */
    NAMES_FULL,     /* with parameters */
    NAMES_USUAL     /* the user has asked for none of these */
};

struct names_style {
    bool long_name; /* the whole name, and not only its last component */
    enum names_form form;
    bool show_line; /* file and line follow */
};

/* The name of a source in the style; to be freed.  */
char *names_of(const struct identity_source *source, const struct names_style *style);

/* Ways to make equal names of different sources differ, in the order in which they are
   tried. NAMES_SOME, NAMES_ARGUMENTS and NAMES_WHOLE change only readable names.  */
enum names_way {
    NAMES_LAMBDA_LINE,
    NAMES_LAMBDA_COLUMN,
    NAMES_SOME,       /* as many arguments of templates as READABLE_WIDEST has room for */
    NAMES_ARGUMENTS,  /* all arguments of templates, readable */
    NAMES_PARAMETERS, /* with parameters; readable in that style */
    NAMES_WHOLE,      /* the whole name, nothing left out */
    NAMES_LINE,
    NAMES_COLUMN,
    NAMES_WAYS
};

/* The name of a source, made longer in one way; to be freed.  NULL if this way changes
   nothing.  */
char *names_tell_apart(const struct identity_source *source,
                       const struct names_style *style, enum names_way way);

/* `FILE: LINE' of a source, without control characters; to be freed.  NULL if the file is
   not known.  */
char *names_position(const struct identity_source *source);

/* Whether a pattern means a function: the rule of all options (mlprof(1), PATTERNS).  The
   pattern may match anywhere in the name SHOWN, or if that is NULL in the name in STYLE.
   It may also match in the plain name or the name with parameters, if the match does not
   start in the brackets of arguments, which readable names leave out.  A match may extend
   into `FILE: LINE', behind the name and two blanks.  A match that starts there must
   contain one of `./:', so that a name does not mean all functions of a file with this
   name.  */
bool names_match(const struct pattern *pattern, const struct identity_source *source,
                 const char *shown, const struct names_style *style);

/* Takes the functions that match PATTERN (names_match) out of COUNT tables, some of which
   may be NULL, as if the compiler had excluded them.  All readers of the tables then
   charge their cost to their callers.  Call this before any function is read from the
   tables.  False and FAULT if no function matches; nothing is done if PATTERN is empty.
 */
bool unprofile(struct tables *const *tables, size_t count, const struct pattern *pattern,
               const struct names_style *style, struct fault *fault);

/* Checks that the time of functions that were taken out can be charged to callers.  A
   sample of the kind time-field has the local stack, but not its caller.  If -unprofile
   has taken out all of the local stack, the caller is not known.  With an exclusion at
   compile time, this caller would have the time.  False and FAULT if
   PROFILE has such samples, except in main, which nobody calls.  */
bool unprofile_has_callers(const struct program *program, const struct profile *profile,
                           const struct pattern *pattern, struct fault *fault);

/* Folds artificial functions into the functions that they are inlined in.  Call this
   before any function is read from the tables.  */
void unprofile_artificial(struct tables *const *tables, size_t count);

/* An element of a list whose names are made unique.  */

struct names_unique {
    const struct identity_source *source;
    const char *shown; /* a text of TEXTS */
};

/* Sets SHOWN in each of NAMES to a name that no other function in the list has: equal
   names of different functions get longer, by the ways above (unique-names.c).  If the
   style shows positions, names with different positions are different already.  A
   function may be in the list several times.  */
void names_make_unique(struct names_unique *names, size_t count, struct intern *texts,
                       const struct names_style *style);

#endif
