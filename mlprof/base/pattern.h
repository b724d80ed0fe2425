/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds a regular expression of the user's. names_match says which functions it means.
 */

#ifndef MLPROF_PATTERN_H
#define MLPROF_PATTERN_H

#include <regex.h>
#include <stdbool.h>

/* Starts as all zero: none.  */
struct pattern {
    const char *text; /* NULL: none */
    regex_t expression;
};

/* Makes PATTERN a POSIX extended regular expression; TEXT is not copied.  If it is none,
   returns what is wrong with it, to be freed, and PATTERN is none; otherwise NULL.  */
char *pattern_set(struct pattern *pattern, const char *text);

void pattern_free(struct pattern *pattern);

/* A beginning of TEXT matches.  */
bool pattern_begins(const struct pattern *pattern, const char *text);

#endif
