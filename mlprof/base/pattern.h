/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds regular expressions from the command line. names_match (names/names.h) matches
   functions with them. */

#ifndef MLPROF_PATTERN_H
#define MLPROF_PATTERN_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts as all zero, which means no pattern. */
struct pattern {
    const char *text; /* NULL: no pattern */
    regex_t expression;
};

/* Sets PATTERN to the POSIX extended regular expression TEXT, which is not copied.
   Returns NULL, or an error message to be freed; PATTERN is then all zero. */
char *pattern_set(struct pattern *pattern, const char *text);

void pattern_free(struct pattern *pattern);

/* Finds the first match in TEXT at or after *START, and sets *START and *END to its
   bounds. Returns false if there is no match. */
bool pattern_next(const struct pattern *pattern, const char *text, size_t *start,
                  size_t *end);

/* Returns whether any part of TEXT matches. */
bool pattern_is_in(const struct pattern *pattern, const char *text);

/* The patterns of an option that may be given several times. Starts as all zero. */
struct patterns {
    struct pattern *list;
    size_t count, capacity;
};

/* Adds a pattern; same result as pattern_set. */
char *patterns_add(struct patterns *patterns, const char *text);

void patterns_free(struct patterns *patterns);

#endif
