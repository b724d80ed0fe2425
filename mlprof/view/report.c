/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "mlprof/view/report.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sheet.h"
#include "mlprof/view/columns.h"

#include <stdlib.h>
#include <string.h>

/* Without stacks a row that was never the innermost has no number to show.  */
static bool is_shown(const struct view *view, const struct rows_row *row)
{
    return (row->cur || row->counted || row->blocks || view->rows->stack) &&
           view_reaches(view, row->cur) && view_keeps(view, row);
}

/* Without calls there is no time of one.  That of a line has what is inlined into it,
   that of a function its branches'.  */
static double per_call(const struct rows_row *row)
{
    uint64_t samples = row->within ? row->within : rows_whole(row);
    return row->calls ? (double)samples / (double)row->calls : -1;
}

/* Less than 0 if A comes first.  */
static int compare(const struct rows_row *a, const struct rows_row *b,
                   enum view_order order)
{
    double difference = 0;
    switch (order) {
    case VIEW_CUR:
    case VIEW_CHANGE:
        break;
    case VIEW_STACK:
        return (a->stack < b->stack) - (a->stack > b->stack);
    case VIEW_CALLS:
        return (a->calls < b->calls) - (a->calls > b->calls);
    case VIEW_PER_CALL:
        difference = per_call(b) - per_call(a);
        return (difference > 0) - (difference < 0);
    case VIEW_BYTES:
        return (a->bytes < b->bytes) - (a->bytes > b->bytes);
    case VIEW_BLOCKS:
        return (a->blocks < b->blocks) - (a->blocks > b->blocks);
    case VIEW_INSNS:
        return (a->code.insns < b->code.insns) - (a->code.insns > b->code.insns);
    case VIEW_CODE:
        return (a->code.bytes < b->code.bytes) - (a->code.bytes > b->code.bytes);
    case VIEW_NAME:
        return view_by_name(a, b);
    }
    return 0;
}

/* Equal ones in the order that the rows have.  */
static int by_order(const void *one, const void *other, void *order)
{
    const struct rows_row *a = *(const struct rows_row *const *)one;
    const struct rows_row *b = *(const struct rows_row *const *)other;
    int found = compare(a, b, *(const enum view_order *)order);
    return found ? found : (a > b) - (a < b);
}

/* By cur if there is no such column.  */
static enum view_order order_of(const struct view *view)
{
    bool has_calls = view->profile->kind & CCPROF_KIND_COUNT;
    const bool has[] = {[VIEW_CUR] = true,
                        [VIEW_STACK] = view->rows->stack,
                        [VIEW_CALLS] = has_calls,
                        [VIEW_PER_CALL] = view_has_costs(view),
                        [VIEW_BYTES] = view->profile->kind & CCPROF_KIND_ALLOC,
                        [VIEW_BLOCKS] = view_has_blocks(view),
                        [VIEW_INSNS] = view->rows->key == ROWS_COPIES,
                        [VIEW_CODE] = view->rows->key == ROWS_COPIES,
                        [VIEW_NAME] = true};
    return has[view->style.order] ? view->style.order : VIEW_CUR;
}

/* The rows that are shown, in their order; COUNT says how many.  To be freed.  */
static const struct rows_row **shown_rows(const struct view *view, size_t *count)
{
    const struct rows *rows = view->rows;
    const struct rows_row **shown = buf_alloc((rows->count + 1) * sizeof *shown);
    enum view_order order = order_of(view);
    *count = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (is_shown(view, &rows->rows[i]))
            shown[(*count)++] = &rows->rows[i];
    if (order != VIEW_CUR)
        qsort_r(shown, *count, sizeof *shown, by_order, &order);
    *count = view_top(view, *count);
    return shown;
}

bool report_print(FILE *out, const struct view *view)
{
    struct sheet sheet = {0};
    size_t count;
    bool ordered = order_of(view) == VIEW_CUR, marked = false;
    const struct rows_row **rows = shown_rows(view, &count);
    columns_add(view, &sheet);
    for (size_t i = 0; i < count; i++)
        marked |= columns_put(view, &sheet, rows[i], ordered && i ? rows[i - 1] : NULL);
    sheet_print(out, &sheet, view->style.mlton);
    free(rows);
    return marked;
}
