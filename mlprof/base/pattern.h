/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions a regular expression of the user's means: MLton's rule.  */

#ifndef MLPROF_PATTERN_H
#define MLPROF_PATTERN_H

#include "mlprof/view/view.h"

#include <regex.h>

/* Starts as all zero: none.  */
struct pattern {
    const char *text; /* NULL: none */
    regex_t expression;
};

/* Makes PATTERN a POSIX extended regular expression; TEXT is not copied.  If it is none,
   returns what is wrong with it, to be freed, and PATTERN is none; otherwise NULL.  */
char *pattern_set(struct pattern *pattern, const char *text);

void pattern_free(struct pattern *pattern);

/* A beginning of `NAME  FILE: LINE', with the row's plain name or with the one
   that it is shown by, matches.  */
bool pattern_matches(const struct pattern *pattern, const struct view *view,
                     const struct rows_row *row);

#endif
