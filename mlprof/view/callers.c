/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/callers.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sheet.h"

#include <stdlib.h>

static void print_table(FILE *out, const struct view *view,
                        const struct neighbours *neighbours, size_t count)
{
    const struct neighbours_one *found = neighbours->found;
    struct sheet sheet = {0};
    sheet_column(&sheet, "stack", SHEET_NUMBER, 1);
    if (view_has_amounts(view))
        sheet_column(&sheet, view_amount_head(view), SHEET_NUMBER, 1);
    sheet_column(&sheet, "function", SHEET_TEXT, 0);
    for (size_t i = 0; i < count; i++) {
        sheet_put(&sheet, view_percent(view, found[i].weight));
        if (view_has_amounts(view))
            sheet_put(&sheet, view_amount_cell(view, found[i].weight));
        neighbours_put_name(&sheet, view, found[i].row);
    }
    sheet_print(out, &sheet, view->style.mlton);
}

/* Of calls that were counted.  Their bounds are told if they are not the same.  */
static void print_calls(FILE *out, const struct view *view,
                        const struct neighbours *neighbours, size_t count)
{
    static const char *const heads[] = {ARCS_HEADS};
    const struct neighbours_one *found = neighbours->found;
    size_t columns = neighbours_estimated(neighbours) ? ARCS_COLUMNS : 1;
    struct sheet sheet = {0};
    for (size_t k = 0; k < columns; k++)
        sheet_column(&sheet, heads[k], SHEET_NUMBER, 1);
    sheet_column(&sheet, "function", SHEET_TEXT, 0);
    for (size_t i = 0; i < count; i++) {
        char *numbers[ARCS_COLUMNS];
        arcs_cells(found[i].calls, numbers);
        for (size_t k = 0; k < ARCS_COLUMNS; k++)
            if (k < columns)
                sheet_put(&sheet, numbers[k]);
            else
                free(numbers[k]);
        neighbours_put_name(&sheet, view, found[i].row);
    }
    sheet_print(out, &sheet, view->style.mlton);
}

static const char *side_name(enum neighbours_side side)
{
    return side == NEIGHBOURS_CALLERS ? "callers" : "callees";
}

/* Prints which function the table is about, and its own figures, as MLton's tables stand:
   the name first.  */
static void print_head_mlton(FILE *out, const struct view *view,
                             const struct rows_row *row, enum neighbours_side side)
{
    char *label = view_label(view, row), *cur = view_percent(view, rows_whole(row));
    char *stack = view_percent(view, row->stack);
    fprintf(out, "\n%s of %s: cur %s", side_name(side), label, cur);
    if (view->profile->stack)
        fprintf(out, ", stack %s", stack);
    putc('\n', out);
    free(label);
    free(cur);
    free(stack);
}

static void print_head(FILE *out, const struct view *view, const struct rows_row *row,
                       enum neighbours_side side)
{
    char *cur = view_percent(view, rows_whole(row)),
         *stack = view_percent(view, row->stack);
    bool has_stack = view->profile->stack;
    char *what = buf_format("cur %s%s%s: %s of", cur, has_stack ? ", stack " : "",
                            has_stack ? stack : "", side_name(side));
    putc('\n', out);
    view_title(out, view, what, row, false);
    free(what);
    free(cur);
    free(stack);
}

size_t callers_find(const struct view *view, const struct pattern *pattern, bool *wanted)
{
    const struct rows *rows = view->rows;
    size_t found = 0;
    for (size_t i = 0; i < rows->count; i++)
        found += wanted[i] =
            !rows->rows[i].branch && view_matches(view, pattern, &rows->rows[i]);
    return found;
}

void callers_print(FILE *out, const struct view *view, const bool *wanted,
                   enum neighbours_side side)
{
    const struct rows *rows = view->rows;
    struct neighbours neighbours;
    neighbours_begin(&neighbours, view, side);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (!wanted[i])
            continue;
        neighbours_find(&neighbours, i);
        (view->style.mlton ? print_head_mlton : print_head)(out, view, &rows->rows[i],
                                                            side);
        (rows->has_arcs ? print_calls : print_table)(out, view, &neighbours,
                                                     view_top(view, neighbours.count));
    }
    neighbours_free(&neighbours);
}
