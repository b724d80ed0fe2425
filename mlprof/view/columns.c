/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/columns.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/base/text.h"

#include <stdlib.h>

/* From these percentages on a row has a colour.  */
#define HOT  20
#define WARM 5

static bool is_sampled(const struct view *view)
{
    return profile_measure(view->profile) == PROFILE_SAMPLES;
}

/* Seconds are percentages in another form.  */
static void add_amount(const struct view *view, struct sheet *sheet)
{
    if (!view_has_amounts(view))
        return;
    sheet_column(sheet, view_amount_head(view), SHEET_NUMBER, 0);
    if (is_sampled(view))
        sheet_gives_way(sheet);
}

static void add_own(const struct view *view, struct sheet *sheet)
{
    sheet_column(sheet, "cur", SHEET_NUMBER, 0);
    if (is_sampled(view)) {
        sheet_column(sheet, "95% range", SHEET_NUMBER, 0);
        sheet_gives_way(sheet);
    }
    add_amount(view, sheet);
    if (view->rows->stack) {
        sheet_column(sheet, "stack", SHEET_NUMBER, 0);
        add_amount(view, sheet);
    }
    if (view_has_costs(view)) {
        sheet_column(sheet, view_count_head(view), SHEET_NUMBER, 0);
        sheet_column(sheet, view_cost_head(view), SHEET_NUMBER, 0);
    }
    if (view->rows->key == ROWS_COPIES) {
        sheet_column(sheet, "insns", SHEET_NUMBER, 0);
        sheet_column(sheet, "code", SHEET_NUMBER, 0);
    }
    if (view_has_bytes(view))
        sheet_column(sheet, "bytes", SHEET_NUMBER, 0);
    if (view_has_blocks(view))
        sheet_column(sheet, "blocks", SHEET_NUMBER, 0);
    if (view_has_calls(view))
        sheet_column(sheet, view_count_head(view), SHEET_NUMBER, 0);
}

void columns_add(const struct view *view, struct sheet *sheet)
{
    if (view->style.mlton) {
        const char *heads[VIEW_COLUMNS];
        for (size_t i = 0, count = view_heads(view, heads); i < count; i++)
            sheet_column(sheet, heads[i], SHEET_NUMBER, 1);
    } else {
        add_own(view, sheet);
    }
    sheet_column(sheet, view_noun(view), SHEET_TEXT, 0);
}

/* What is uncertain may all be one's or all the other's.  */
static bool is_certainly_less(const struct rows_row *row, const struct rows_row *above)
{
    uint64_t more =
        above->cur - (above->trust.less < above->cur ? above->trust.less : above->cur);
    uint64_t less = row->cur + row->trust.more;
    return less < more && statistics_same_count(more, less, 0.5) < STATISTICS_LEVEL;
}

static char *range(const struct view *view, const struct rows_row *row)
{
    if (view->rows->total == 0 || row->no_cur)
        return buf_copy("-");
    struct statistics_interval range = statistics_share_uncertain(
        row->cur, row->trust.less, row->trust.more, view->rows->total);
    char text[2 * TEXT_TENTHS], *end = text_tenths(text, 100 * range.least);
    *end++ = '-';
    text_tenths(end, 100 * range.most);
    return buf_copy(text);
}

static void put_own(const struct view *view, struct sheet *sheet,
                    const struct rows_row *row, bool marked)
{
    char *cur = view_known_cell(row->no_cur, view_percent(view, row->cur));
    sheet_put(sheet, buf_format("%s%s", marked ? COLUMNS_MARK : "", cur));
    free(cur);
    if (is_sampled(view))
        sheet_put(sheet, range(view, row));
    if (view_has_amounts(view))
        sheet_put(sheet, view_known_cell(row->no_cur, view_amount_cell(view, row->cur)));
    if (view->rows->stack) {
        sheet_put(sheet, view_known_cell(row->no_stack, view_percent(view, row->stack)));
        if (view_has_amounts(view))
            sheet_put(sheet,
                      view_known_cell(row->no_stack, view_amount_cell(view, row->stack)));
    }
    if (view_has_costs(view)) {
        sheet_put(sheet,
                  row->counted ? text_commas((double)row->calls, 0) : buf_copy("-"));
        sheet_put(sheet, view_cost(view, row));
    }
    if (view->rows->key == ROWS_COPIES) {
        sheet_put(sheet, view_known(row->code.insns));
        sheet_put(sheet, view_known(row->code.bytes));
    }
    if (view_has_bytes(view))
        sheet_put(sheet,
                  view_known_cell(row->no_bytes, text_commas((double)row->bytes, 0)));
    if (view_has_blocks(view))
        sheet_put(sheet,
                  view_known_cell(row->no_bytes, text_commas((double)row->blocks, 0)));
    if (view_has_calls(view))
        sheet_put(sheet,
                  row->counted ? text_commas((double)row->calls, 0) : buf_copy("-"));
}

bool columns_put(const struct view *view, struct sheet *sheet, const struct rows_row *row,
                 const struct rows_row *above)
{
    bool marked = above && !view->style.mlton && is_sampled(view) && row->cur &&
                  !is_certainly_less(row, above);
    double percent = rows_percent(row->cur, view->rows->total);
    sheet_tone(sheet, percent >= HOT    ? SHEET_HOT
                      : percent >= WARM ? SHEET_WARM
                                        : SHEET_PLAIN);
    if (view->style.mlton) {
        const char *heads[VIEW_COLUMNS];
        char *cells[VIEW_COLUMNS];
        view_cells(view, row, cells);
        for (size_t i = 0, count = view_heads(view, heads); i < count; i++)
            sheet_put(sheet, cells[i]);
    } else {
        put_own(view, sheet, row, marked);
    }
    view_put_name(view, sheet, row);
    return marked;
}
