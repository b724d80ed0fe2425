/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/pattern.h"
#include "mlprof/base/buf.h"

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

/* There is a match at the beginning.  */
static bool label_matches(const struct pattern *pattern, const struct view *view,
                          const struct rows_row *row)
{
    char *label = view_label(view, row);
    /* The leftmost match is found: if there is one at the beginning, that.  */
    regmatch_t match;
    bool found = regexec(&pattern->expression, label, 1, &match, 0) == 0;
    free(label);
    return found && match.rm_so == 0;
}

bool pattern_matches(const struct pattern *pattern, const struct view *view,
                     const struct rows_row *row)
{
    struct view with_line = *view;
    struct rows_row plain = *row;
    with_line.style.show_line = true;
    with_line.style.full_name = false;
    plain.shown = NULL;
    return label_matches(pattern, &with_line, &plain) ||
           (row->shown && label_matches(pattern, &with_line, row));
}
