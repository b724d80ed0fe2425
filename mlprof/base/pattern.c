/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/pattern.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

char *pattern_set(struct pattern *pattern, const char *text)
{
    pattern_free(pattern);
    int error = regcomp(&pattern->expression, text, REG_EXTENDED);
    if (error == 0) {
        pattern->text = text;
        return NULL;
    }
    size_t size = regerror(error, &pattern->expression, NULL, 0);
    char *why = buf_alloc(size);
    regerror(error, &pattern->expression, why, size);
    return why;
}

void pattern_free(struct pattern *pattern)
{
    if (pattern->text)
        regfree(&pattern->expression);
    pattern->text = NULL;
}

bool pattern_begins(const struct pattern *pattern, const char *text)
{
    /* The leftmost match is found: if there is one at the beginning, that.  */
    regmatch_t match;
    return regexec(&pattern->expression, text, 1, &match, 0) == 0 && match.rm_so == 0;
}

bool pattern_is_in(const struct pattern *pattern, const char *text)
{
    return regexec(&pattern->expression, text, 0, NULL, 0) == 0;
}

char *patterns_add(struct patterns *patterns, const char *text)
{
    struct pattern pattern = {0};
    char *why = pattern_set(&pattern, text);
    if (why)
        return why;
    patterns->list = buf_grow(patterns->list, &patterns->capacity, patterns->count + 1,
                              sizeof *patterns->list);
    patterns->list[patterns->count++] = pattern;
    return NULL;
}

void patterns_free(struct patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++)
        pattern_free(&patterns->list[i]);
    free(patterns->list);
    memset(patterns, 0, sizeof *patterns);
}
