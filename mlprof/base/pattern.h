/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds regular expressions of the user's.  names_match says which functions a pattern
   means.  */

#ifndef MLPROF_PATTERN_H
#define MLPROF_PATTERN_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts as all zero, which is no pattern.  */
struct pattern {
    const char *text; /* NULL: there is no pattern */
    regex_t expression;
};

/* Makes PATTERN the POSIX extended regular expression TEXT, which is not copied.  On an
   error returns the message, to be freed, and PATTERN is all zero; otherwise NULL.  */
char *pattern_set(struct pattern *pattern, const char *text);

void pattern_free(struct pattern *pattern);

/* Finds the first match in TEXT that starts at *START or behind it; sets *START and *END
   to where it starts and ends.  Returns false if there is none.  */
bool pattern_next(const struct pattern *pattern, const char *text, size_t *start,
                  size_t *end);

/* Whether any part of TEXT matches.  */
bool pattern_is_in(const struct pattern *pattern, const char *text);

/* The patterns of an option that may be given several times.  Starts as all zero.  */
struct patterns {
    struct pattern *list;
    size_t count, capacity;
};

/* Adds a pattern, like pattern_set.  */
char *patterns_add(struct patterns *patterns, const char *text);

void patterns_free(struct patterns *patterns);

#endif
