/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiles regular expressions with regcomp, and refuses expressions with large
   repetitions before, because regcomp copies the repeated part each time. */

#include "mlprof/base/pattern.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

/* Limits of an expression. regcomp recurses for each parenthesis and copies repeated
   expressions. A repeated expression counts as often as it is copied, and x* counts
   twice. If each copy may be empty, the time of regcomp grows with the square of the
   number of copies, and faster if repetitions are nested: ((x*)*){250} takes 0.5 s,
   and twice as many copies take 4 s. */
#define DEEPEST  200
#define REPEATED 1000

/* Returns the last character of the bracket expression that begins at CURSOR. */
static const char *skip_bracket_expression(const char *cursor)
{
    cursor += cursor[1] == '^' ? 2 : 1;
    cursor += *cursor == ']';
    for (; *cursor && *cursor != ']'; cursor++) {
        const char *end = NULL;
        if (*cursor == '[' && cursor[1] && strchr(":.=", cursor[1])) {
            const char closing[] = {cursor[1], ']', '\0'};
            end = strstr(cursor + 2, closing);
        }
        cursor = end ? end + 1 : cursor;
    }
    return *cursor ? cursor : cursor - 1;
}

/* Returns how many copies regcomp makes of the expression before the operator at *CURSOR:
   two for x+, which becomes xx*, four for x{3,}, which becomes xxxx*, and five for
   x{3,5}. Sets *CURSOR to the operator's last character. */
static size_t count_copies(const char **cursor)
{
    size_t most = 0;
    if (**cursor != '{')
        return 2;
    /* regcomp rejects anything else between braces. */
    const char *end = *cursor + 1 + strspn(*cursor + 1, "0123456789,");
    for (const char *digits = *cursor + 1; digits < end; digits++)
        if (*digits != ',') {
            char *next;
            size_t times = strtoul(digits, &next, 10);
            most = times > most ? times : most;
            digits = next - 1;
        }
    if (most > 0 && most <= REPEATED && end[-1] == ',')
        most++;
    *cursor = *end == '}' ? end : *cursor;
    return most > 0 ? most : 1;
}

/* Returns why TEXT is too large for regcomp; NULL if it is not. */
static const char *why_too_large(const char *text)
{
    size_t sizes[DEEPEST + 1] = {0}, last = 0, depth = 0;
    size_t most = REPEATED + 2 * strlen(text);
    for (const char *cursor = text; *cursor; cursor++) {
        size_t size = 1;
        if (*cursor == '(') {
            if (depth == DEEPEST)
                return "too many parentheses within each other";
            sizes[++depth] = 1;
            last = 0;
            continue;
        }
        if (*cursor == ')' && depth > 0) {
            size = sizes[depth--];
        } else if (strchr("*+?{", *cursor)) {
            size_t times = count_copies(&cursor);
            if (times > REPEATED || last * times > most)
                return "it repeats too much";
            size = last * (times - 1);
            last *= times;
            sizes[depth] += size;
            if (times > 1 && sizes[depth] > most)
                return "it repeats too much";
            continue;
        } else if (*cursor == '[') {
            cursor = skip_bracket_expression(cursor);
        } else if (*cursor == '\\' && cursor[1]) {
            cursor++;
        }
        last = size;
        sizes[depth] += size;
    }
    return NULL;
}

char *pattern_set(struct pattern *pattern, const char *text)
{
    pattern_free(pattern);
    const char *large = why_too_large(text);
    if (large)
        return buf_copy(large);
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

bool pattern_next(const struct pattern *pattern, const char *text, size_t *start,
                  size_t *end)
{
    regmatch_t match;
    const size_t from = *start;
    if (regexec(&pattern->expression, text + from, 1, &match, from ? REG_NOTBOL : 0) != 0)
        return false;
    *start = from + (size_t)match.rm_so;
    *end = from + (size_t)match.rm_eo;
    return true;
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
    BUF_NEXT(patterns->list, patterns->count, patterns->capacity) = pattern;
    return NULL;
}

void patterns_free(struct patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++)
        pattern_free(&patterns->list[i]);
    free(patterns->list);
    memset(patterns, 0, sizeof *patterns);
}
