/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names sources in the user's style, makes the names in a list unique, decides which
   sources a pattern matches, and removes sources from the tables (-unprofile). Used
   by all modules that show or select functions. */

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
    NAMES_USUAL     /* the user has not selected a form */
};

struct names_style {
    bool long_name; /* show the full name, not only its last component */
    enum names_form form;
    bool show_line; /* append file and line */
};

/* Returns the name of a source in STYLE. The caller frees it. */
char *names_of(const struct identity_source *source, const struct names_style *style);

/* Ways to make equal names of different sources unique, in the order in which they are
   tried. NAMES_SOME, NAMES_ARGUMENTS and NAMES_WHOLE change only readable names. */
enum names_way {
    NAMES_LAMBDA_LINE,
    NAMES_LAMBDA_COLUMN,
    NAMES_SOME,       /* as many template arguments as fit into READABLE_WIDEST */
    NAMES_ARGUMENTS,  /* all template arguments, readable */
    NAMES_PARAMETERS, /* with parameters; in readable style, made readable */
    NAMES_WHOLE,      /* the full name; no part is left out */
    NAMES_LINE,
    NAMES_COLUMN,
    NAMES_PATH, /* with the path of the file */
    NAMES_WAYS
};

/* Returns the name of a source, made longer in the way WAY, or NULL if this does not
   change the name. The caller frees it. */
char *names_lengthen(const struct identity_source *source,
                     const struct names_style *style, enum names_way way);

/* Returns `FILE: LINE' of a source, without control characters, or NULL if the file is
   unknown. The caller frees it. */
char *names_position(const struct identity_source *source);

/* Returns whether a pattern matches a function. All options use this rule (mlprof(1),
   PATTERNS). The pattern may match anywhere in the name SHOWN. If SHOWN is NULL, the
   name in STYLE is used. The pattern may also match in the plain name or in the name
   with parameters. Such a match must not start inside the brackets of arguments,
   because readable names leave them out.

   For matching, each name is followed by two blanks and `FILE: LINE'. A match may
   extend into this text. A match that starts in this text must contain one of `./:'.
   Otherwise the name of a function would also match all functions of a file with this
   name. */
bool names_match(const struct pattern *pattern, const struct identity_source *source,
                 const char *shown, const struct names_style *style);

/* Removes the functions that match PATTERN (see names_match) from COUNT tables, as if
   the compiler had excluded them. Tables may be NULL. All readers of the tables then
   charge the cost of these functions to their callers. Call this before any function
   is read from the tables. Returns false and sets FAULT if no function matches. If
   PATTERN is empty, does nothing and returns true. */
bool unprofile(struct tables *const *tables, size_t count, const struct pattern *pattern,
               const struct names_style *style, struct fault *fault);

/* Checks that the time of removed functions can be charged to their callers. A sample
   of the kind time-field has the local stack, but not the caller of its outermost
   frame. If -unprofile has removed all frames of the local stack, the caller that
   should get the time is unknown. Returns false and sets FAULT if PROFILE has such
   samples. Samples in main are ignored, because main has no caller. */
bool unprofile_has_callers(const struct program *program, const struct profile *profile,
                           const struct pattern *pattern, struct fault *fault);

/* Merges artificial functions into the functions that they are inlined in. Call this
   before any function is read from the tables. */
void unprofile_artificial(struct tables *const *tables, size_t count);

/* An element of a list whose names are made unique. */

struct names_unique {
    const struct identity_source *source;
    const char *shown; /* a text of TEXTS */
};

/* Sets SHOWN in each of NAMES to a name that no other function in the list has. Equal
   names of different functions are made longer, in the ways listed above
   (unique-names.c). If the style shows positions, names with different positions
   count as different. A function may be in the list several times. */
void names_make_unique(struct names_unique *names, size_t count, struct intern *texts,
                       const struct names_style *style);

#endif
