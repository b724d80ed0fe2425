/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/peek.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/view/neighbours.h"

#include <stdlib.h>

struct peek {
    const struct view *view;
    struct neighbours callers, callees;
    size_t bounds; /* columns of counted calls */
    struct sheet sheet;
};

/* Samples: its own, and what is on the stack.  Without NEIGHBOUR the function itself.  */
static void put_samples(struct peek *peek, const struct rows_row *row,
                        const struct neighbours_one *neighbour)
{
    const struct view *view = peek->view;
    uint64_t weight = neighbour ? neighbour->weight : row->stack;
    sheet_put(&peek->sheet,
              neighbour ? buf_copy("") : view_percent(view, rows_whole(row)));
    sheet_put(&peek->sheet, view_percent(view, weight));
    if (view_has_amounts(view))
        sheet_put(&peek->sheet, view_amount_cell(view, weight));
}

/* The same of calls.  */
static void put_calls(struct peek *peek, const struct rows_row *row,
                      const struct neighbours_one *neighbour)
{
    const struct arcs_calls own = {row->calls, row->calls, row->calls};
    char *numbers[ARCS_COLUMNS];
    arcs_cells(neighbour ? neighbour->calls : own, numbers);
    for (size_t i = 0; i < ARCS_COLUMNS; i++)
        if (i < peek->bounds)
            sheet_put(&peek->sheet, numbers[i]);
        else
            free(numbers[i]);
}

static void put_neighbours(struct peek *peek, const struct neighbours *neighbours,
                           const struct rows_row *row, const char *relation)
{
    const struct view *view = peek->view;
    for (size_t i = 0; i < view_top(view, neighbours->count); i++) {
        const struct neighbours_one *one = &neighbours->found[i];
        (view->rows->has_arcs ? put_calls : put_samples)(peek, row, one);
        sheet_put(&peek->sheet, buf_copy(relation));
        neighbours_put_name(&peek->sheet, view, one->row);
    }
}

static void put_columns(struct peek *peek)
{
    static const char *const heads[] = {ARCS_HEADS};
    const struct view *view = peek->view;
    bool estimated =
        neighbours_estimated(&peek->callers) || neighbours_estimated(&peek->callees);
    peek->bounds = estimated ? ARCS_COLUMNS : 1;
    peek->sheet = (struct sheet){0};
    if (view->rows->has_arcs) {
        for (size_t i = 0; i < peek->bounds; i++)
            sheet_column(&peek->sheet, heads[i], SHEET_NUMBER, 2);
    } else {
        sheet_column(&peek->sheet, "cur", SHEET_NUMBER, 2);
        sheet_column(&peek->sheet, "stack", SHEET_NUMBER, 2);
        if (view_has_amounts(view))
            sheet_column(&peek->sheet, view_amount_head(view), SHEET_NUMBER, 2);
    }
    sheet_column(&peek->sheet, "", SHEET_TEXT, 1);
    sheet_column(&peek->sheet, "function", SHEET_TEXT, 0);
}

static void print_row(FILE *out, struct peek *peek, uint32_t number)
{
    const struct view *view = peek->view;
    const struct rows_row *row = &view->rows->rows[number];
    neighbours_find(&peek->callers, number);
    neighbours_find(&peek->callees, number);
    put_columns(peek);
    put_neighbours(peek, &peek->callers, row, "from");
    (view->rows->has_arcs ? put_calls : put_samples)(peek, row, NULL);
    sheet_put(&peek->sheet, buf_copy(""));
    view_put_name(view, &peek->sheet, row);
    put_neighbours(peek, &peek->callees, row, "to");
    putc('\n', out);
    sheet_print(out, &peek->sheet, view->style.mlton);
}

static bool is_meant(const struct view *view, const struct pattern *pattern,
                     const struct rows_row *row)
{
    const struct names_style style = {.long_name = view->style.long_name,
                                      .form = view->style.names};
    char *shown = view_name(view, row);
    bool meant = pattern_is_in(pattern, shown);
    free(shown);
    return meant || names_contain(pattern, &row->source, &style);
}

/* By what is on the stack; equal ones in the order of the rows.  */
static int by_stack(const void *one, const void *other)
{
    const struct rows_row *a = *(const struct rows_row *const *)one;
    const struct rows_row *b = *(const struct rows_row *const *)other;
    if (a->stack != b->stack)
        return a->stack > b->stack ? -1 : 1;
    return (a > b) - (a < b);
}

size_t peek_find(const struct view *view, const struct pattern *pattern, bool *wanted)
{
    const struct rows *rows = view->rows;
    size_t found = 0;
    for (size_t i = 0; i < rows->count; i++)
        found += wanted[i] = is_meant(view, pattern, &rows->rows[i]);
    return found;
}

void peek_print(FILE *out, const struct view *view, const bool *wanted)
{
    const struct rows *rows = view->rows;
    struct peek peek = {.view = view};
    const struct rows_row **matched = buf_alloc((rows->count + 1) * sizeof *matched);
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (wanted[i])
            matched[count++] = &rows->rows[i];
    qsort(matched, count, sizeof *matched, by_stack);
    neighbours_begin(&peek.callers, view, NEIGHBOURS_CALLERS);
    neighbours_begin(&peek.callees, view, NEIGHBOURS_CALLEES);
    for (size_t i = 0; i < count; i++)
        print_row(out, &peek, (uint32_t)(matched[i] - rows->rows));
    neighbours_free(&peek.callers);
    neighbours_free(&peek.callees);
    free(matched);
}
