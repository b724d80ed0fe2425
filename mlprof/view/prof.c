/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/prof.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define UNPROFILED "(unprofiled)"
#define LOST       "(lost)"

/* As in the paper; more where calls cost less than a hundredth of a millisecond.  */
#define DECIMALS_LEAST 3
#define DECIMALS_MOST  7

static bool is_special(const struct rows_row *row, const char *name)
{
    return !row->source.file && strcmp(row->source.name, name) == 0;
}

static bool is_shown(const struct view *view, const struct rows_row *row)
{
    uint64_t whole = rows_whole(row);
    return !row->branch && (whole || row->counted) && view_reaches(view, whole);
}

/* By time, then calls; equal ones in the order that the rows have.  */
static int by_time(const void *one, const void *other)
{
    const struct rows_row *a = *(const struct rows_row *const *)one;
    const struct rows_row *b = *(const struct rows_row *const *)other;
    if (rows_whole(a) != rows_whole(b))
        return rows_whole(a) > rows_whole(b) ? -1 : 1;
    if (a->calls != b->calls)
        return a->calls > b->calls ? -1 : 1;
    return (a > b) - (a < b);
}

/* The rows to print, COUNT of them, to be freed.  NONE stands for what is not profiled if
   no row does.  */
static const struct rows_row **find_rows(const struct view *view, size_t *count,
                                         const struct rows_row *none)
{
    const struct rows *rows = view->rows;
    const struct rows_row **found = buf_alloc((rows->count + 1) * sizeof *found);
    bool has_unprofiled = false;
    *count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        has_unprofiled |= is_special(&rows->rows[i], STACKS_UNPROFILED);
        if (is_shown(view, &rows->rows[i]))
            found[(*count)++] = &rows->rows[i];
    }
    qsort(found, *count, sizeof *found, by_time);
    if (!has_unprofiled && view->profile->kind && view_reaches(view, 0))
        found[(*count)++] = none;
    return found;
}

static double cost(const struct view *view, const struct rows_row *row)
{
    return 1000 * view_seconds(view, rows_whole(row)) / (double)row->calls;
}

/* So many that the least cost of a call has two digits other than 0, if that can be.  */
static int find_decimals(const struct view *view, const struct rows_row *const *rows,
                         size_t count)
{
    double least = 1;
    int decimals = DECIMALS_LEAST;
    for (size_t i = 0; i < count; i++)
        if (rows[i]->calls && rows_whole(rows[i]) && cost(view, rows[i]) < least)
            least = cost(view, rows[i]);
    for (double digit = 0.01; least < digit && decimals < DECIMALS_MOST; digit /= 10)
        decimals++;
    return decimals;
}

static void put_name(struct sheet *sheet, const struct view *view,
                     const struct rows_row *row)
{
    if (is_special(row, STACKS_UNPROFILED))
        sheet_put(sheet, buf_copy(UNPROFILED));
    else if (is_special(row, STACKS_LOST))
        sheet_put(sheet, buf_copy(LOST));
    else
        view_put_name(view, sheet, row);
}

/* The cells of a row; those of calls are blank if there were none.  */
static void put_row(struct sheet *sheet, const struct view *view,
                    const struct rows_row *row, uint64_t sum, int decimals)
{
    bool called = row->calls > 0;
    sheet_put(sheet,
              view->rows->total
                  ? buf_format("%.1f", rows_percent(rows_whole(row), view->rows->total))
                  : buf_copy("-"));
    sheet_put(sheet, buf_format("%.2f", view_seconds(view, sum)));
    sheet_put(sheet, called ? buf_format("%" PRIu64, row->calls) : buf_copy(""));
    sheet_put(sheet,
              called ? buf_format("%.*f", decimals, cost(view, row)) : buf_copy(""));
    put_name(sheet, view, row);
}

void prof_print(FILE *out, const struct view *view)
{
    static const char *const heads[] = {"%time", "cumsecs", "#call", "ms/call"};
    const struct rows_row none = {.source = {.name = STACKS_UNPROFILED}};
    struct sheet sheet = {0};
    size_t count;
    const struct rows_row **rows = find_rows(view, &count, &none);
    int decimals = find_decimals(view, rows, count);
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        sheet_column(&sheet, heads[i], SHEET_NUMBER, 0);
    sheet_column(&sheet, "name", SHEET_TEXT, 0);
    for (size_t i = 0; i < view_top(view, count); i++) {
        sum += rows_whole(rows[i]);
        put_row(&sheet, view, rows[i], sum, decimals);
    }
    sheet_print(out, &sheet, false);
    free(rows);
}
