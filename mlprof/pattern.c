/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/pattern.h"
#include "mlprof/buf.h"

#include <stdlib.h>

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

bool pattern_matches(const struct pattern *pattern, const struct view *view,
                     const struct rows_row *row)
{
    struct view with_line = *view;
    with_line.style.show_line = true;
    char *label = view_label(&with_line, row);
    /* The leftmost match is found: if there is one at the beginning, that.  */
    regmatch_t match;
    bool found = regexec(&pattern->expression, label, 1, &match, 0) == 0;
    free(label);
    return found && match.rm_so == 0;
}
