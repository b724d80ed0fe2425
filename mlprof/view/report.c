/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/report.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/view/rows-table.h"
#include "mlprof/view/views.h"

#include <stdlib.h>

/* Whether a row is shown.  Without stacks, a row that was never the innermost has no
   number.  */
static bool is_shown(const struct view *view, const struct rows_row *row)
{
    return (row->cur || row->counted || row->blocks || view->rows->stack) &&
           view_reaches(view, row->cur) && view_keeps(view, row);
}

/* Whether the row has nothing but the number 0 to show.  MLton's tables have each of
   them.  */
static bool is_never(const struct view *view, const struct rows_row *row)
{
    return !view->style.never && !view->style.mlton && row->counted && !row->calls &&
           !rows_whole(row) && !row->stack && !row->bytes && !row->blocks;
}

void report_print(FILE *out, const struct view *view, struct report_told *told)
{
    bool mlton = view->style.mlton;
    struct table table;
    *told = (struct report_told){0};
    rows_table_make(&table, view, view->rows, mlton);
    for (size_t i = 0; i < view->rows->count; i++) {
        const struct rows_row *row = &view->rows->rows[i];
        if (!is_shown(view, row))
            continue;
        if (!is_never(view, row))
            table_add(&table, row);
        else if (row->branch)
            told->never_came++;
        else
            told->never++;
    }
    bool sorted = table_sort(&table, view->style.order);
    table_cut(&table, view->style.top);
    told->marked = !sorted && !mlton && rows_table_mark(&table);
    table_print(out, &table, mlton);
    table_free(&table);
}

char *report_never(const struct view *view, const struct report_told *told)
{
    if (!told->never && !told->never_came)
        return NULL;
    char *text = NULL, *rows = text_number(told->never, view_noun(view));
    BUF_OWN char *outcomes = text_number(told->never_came, "outcome");
    size_t size;
    FILE *out = buf_open(&text, &size);
    /* A function that was already running when counting began was executed.  */
    if (told->never)
        fprintf(out, "%s never %s", rows,
                view_has_executions(view) ? "executed" : "called");
    if (told->never_came)
        fprintf(out, "%s%s of branches never came", told->never ? ", " : "", outcomes);
    fputs(": -never true lists them", out);
    buf_close(out);
    free(rows);
    return text;
}

static void fill_functions(struct table *table, const struct view *view,
                           const struct pattern *asked)
{
    rows_table_make(table, view, view->rows, false);
    for (size_t i = 0; i < view->rows->count; i++)
        if (view_is_asked(view, asked, &view->rows->rows[i]))
            table_add(table, &view->rows->rows[i]);
}

static void fill_groups(struct table *table, const struct view *view,
                        const struct pattern *asked)
{
    (void)asked;
    if (!view->grouped)
        return;
    rows_table_make(table, view, view->grouped, false);
    for (size_t i = 0; i < view->grouped->count; i++)
        table_add(table, &view->grouped->rows[i]);
}

/* The tables of functions and of -by.  Both are printed by show.c, with report_print and
   what stands around a table.  */
const struct views_entry report_functions = {
    .name = "table",
    .takes = VIEWS_NO_OPTION,
    .goes_by = VIEWS_BY_COPIES VIEWS_BY_ROWS
    "branch by keep measure merge-builds never raw show-line",
    .columns = &rows_table_functions,
    .data = {{&rows_table_functions, fill_functions, 1}},
    .head = view_header,
    .timed = true,
};

const struct views_entry report_groups = {
    .name = "by",
    .takes = VIEWS_NO_OPTION,
    .goes_by = VIEWS_BY_SAMPLES VIEWS_BY_ROWS "by measure merge-builds never raw",
    .columns = &rows_table_groups,
    .data = {{&rows_table_groups, fill_groups, 2}},
    .head = view_header,
    .timed = true,
};
