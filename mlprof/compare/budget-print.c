/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a budget with its columns aligned (budget.h). */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/budget.h"

#include <stdlib.h>
#include <string.h>

/* The columns of limits, measured values and measures have at least these widths, so
   that lines rarely move when a number gets longer. A comment begins at most
   SUBJECT_MOST columns after the start of the function. */
enum { LIMIT_LEAST = 7, VALUE_LEAST = 17, WORD_LEAST = 12, SUBJECT_MOST = 40 };

static size_t greater(size_t one, size_t other)
{
    return one > other ? one : other;
}

static bool is_blank(const struct budget_line *line)
{
    return line->kind == BUDGET_TEXT && !line->text[strspn(line->text, " \t")];
}

/* Returns the width of the subjects with comments in the block that begins at START. A
   blank line ends a block. */
static size_t subject_width(const struct budget *budget, size_t start)
{
    size_t width = 0;
    for (size_t i = start; i < budget->count && !is_blank(&budget->lines[i]); i++) {
        const struct budget_line *line = &budget->lines[i];
        if (line->kind != BUDGET_LIMIT || !line->comment)
            continue;
        BUF_OWN char *text = budget_place_text(&line->place);
        size_t columns = text_width(text);
        width = columns <= SUBJECT_MOST ? greater(width, columns) : width;
    }
    return width;
}

/* The widths of the columns. */
struct widths {
    size_t limit, value, word, subject;
};

static void measure_columns(const struct budget *budget, struct widths *widths)
{
    for (size_t i = 0; i < budget->count; i++) {
        const struct budget_line *line = &budget->lines[i];
        if (line->kind != BUDGET_LIMIT)
            continue;
        widths->limit = greater(widths->limit, text_width(line->limit));
        widths->word = greater(widths->word, strlen(line->word));
        if (line->measured) {
            BUF_OWN char *count = text_count(line->value);
            widths->value = greater(widths->value, strlen(count));
        }
    }
}

/* Prints the executions of each line and outcome below their limit. */
static void print_points(FILE *out, const struct linecounts *points,
                         const struct widths *widths)
{
    for (size_t i = 0; i < points->count; i++) {
        const struct linecounts_list *list = &points->lists[i];
        fprintf(out, "%*s%-*s ", (int)(widths->limit + widths->value + 4), "",
                (int)widths->word, list->outcome ? "case" : "lines");
        for (size_t k = 0; k < list->count; k++) {
            BUF_OWN char *count = text_count(list->points[k].count);
            fprintf(out, " %s", count);
        }
        fprintf(out, "%s%s\n", list->outcome ? "  " : "",
                list->outcome ? list->outcome : "");
    }
}

static void print_limit(FILE *out, const struct budget_line *line,
                        const struct widths *widths)
{
    BUF_OWN char *count = line->measured ? text_count(line->value) : buf_copy("-");
    BUF_OWN char *subject = budget_place_text(&line->place);
    size_t columns = text_width(subject);
    fprintf(out, "%*s  %*s  %-*s  %s", (int)widths->limit, line->limit,
            (int)widths->value, count, (int)widths->word, line->word, subject);
    if (line->comment)
        fprintf(out, "%*s  %s",
                (int)(columns < widths->subject ? widths->subject - columns : 0), "",
                line->comment);
    putc('\n', out);
    if (line->points)
        print_points(out, line->points, widths);
}

void budget_print(FILE *out, const struct budget *budget)
{
    struct widths widths = {LIMIT_LEAST, VALUE_LEAST, WORD_LEAST, 0};
    measure_columns(budget, &widths);
    fprintf(out, BUDGET_START "%d\n", BUDGET_VERSION);
    for (size_t i = 0; i < budget->count; i++) {
        const struct budget_line *line = &budget->lines[i];
        if (i == 0 || is_blank(line - 1))
            widths.subject = subject_width(budget, i);
        if (line->kind == BUDGET_LIMIT)
            print_limit(out, line, &widths);
        else
            fprintf(out, "%s\n", line->text);
    }
}
