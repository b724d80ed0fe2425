/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds regular expressions of the user's.  names_match and names_contain say which
   functions one means.  */

#ifndef MLPROF_PATTERN_H
#define MLPROF_PATTERN_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

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

/* Some place in TEXT matches.  */
bool pattern_is_in(const struct pattern *pattern, const char *text);

/* Those of an option that may be given more than once.  Starts as all zero.  */
struct patterns {
    struct pattern *list;
    size_t count, capacity;
};

/* Adds one, as pattern_set makes it, with the same result.  */
char *patterns_add(struct patterns *patterns, const char *text);

void patterns_free(struct patterns *patterns);

#endif
