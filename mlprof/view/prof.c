/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a table like prof(1)'s with time, calls and milliseconds per call, for -prof. */

#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define UNPROFILED "(unprofiled)"
#define LOST       "(lost)"

/* The minimum and maximum number of decimals of the time per call. */
#define DECIMALS_LEAST 3
#define DECIMALS_MOST  7

static bool is_special(const struct rows_row *row, const char *name)
{
    return !row->source.file && strcmp(row->source.name, name) == 0;
}

/* A row, and the sum of the samples of this row and the rows above it. */
struct row {
    const struct rows_row *row;
    uint64_t sum;
};

/* The context of the columns. */
struct context {
    const struct view *view;
    int decimals; /* of the time per call */
};

/* For qsort: by decreasing time, then by decreasing calls. Equal rows keep their
   order. */
BUF_COMPARE(by_time, struct row, BUF_ORDER(rows_whole(b->row), rows_whole(a->row)) ?:
            BUF_ORDER(rows_calls(b->row), rows_calls(a->row)) ?:
            BUF_ORDER(a->row, b->row))

/* Returns the *COUNT rows to print. The caller frees the array. If there is no row
   for unprofiled code, NONE is added. */
static struct row *find_rows(const struct view *view, size_t *count,
                             const struct rows_row *none)
{
    const struct rows *rows = view->rows;
    struct row *found = buf_alloc((rows->count + 1) * sizeof *found);
    bool has_unprofiled = false;
    uint64_t sum = 0;
    *count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct rows_row *row = &rows->rows[i];
        uint64_t whole = rows_whole(row);
        has_unprofiled |= is_special(row, STACKS_UNPROFILED);
        if (!row->branch && (whole || row->counted) && view_reaches(view, whole))
            found[(*count)++].row = row;
    }
    BUF_SORT(found, *count, by_time);
    if (!has_unprofiled && view->profile->kind && view_reaches(view, 0))
        found[(*count)++].row = none;
    for (size_t i = 0; i < *count; i++)
        found[i].sum = sum += rows_whole(found[i].row);
    return found;
}

static double cost(const struct view *view, const struct rows_row *row)
{
    return 1000 * view_seconds(view, rows_whole(row)) / (double)rows_calls(row);
}

/* Returns the number of decimals with which the smallest time per call is shown with
   two significant digits. The result is at most DECIMALS_MOST. */
static int find_decimals(const struct view *view, const struct row *rows, size_t count)
{
    double least = 1;
    int decimals = DECIMALS_LEAST;
    for (size_t i = 0; i < count; i++)
        if (rows_calls(rows[i].row) && rows_whole(rows[i].row) &&
            cost(view, rows[i].row) < least)
            least = cost(view, rows[i].row);
    for (double digit = 0.01; least < digit && decimals < DECIMALS_MOST; digit /= 10)
        decimals++;
    return decimals;
}

/* Cells about calls are empty if the function was not called. */
#define OF_ROW                                                                           \
    const struct view *view = ((const struct context *)of)->view;                        \
    const struct rows_row *row = ((const struct row *)at)->row;                          \
    (void)view, (void)row

VIEW_CELL(time, view->rows->total
                    ? buf_format("%.1f", rows_percent(rows_whole(row), view->rows->total))
                    : buf_copy("-"))
VIEW_CELL(sum, buf_format("%.2f", view_seconds(view, ((const struct row *)at)->sum)))
VIEW_CELL(calls, rows_calls(row) ? buf_format("%" PRIu64, rows_calls(row)) : buf_copy(""))
VIEW_CELL(cost, rows_calls(row)
                    ? buf_format("%.*f", ((const struct context *)of)->decimals,
                                 cost(view, row))
                    : buf_copy(""))

static const struct table_column columns[] = {
    TABLE_SHOWN("%time", NULL, "of the function itself", NULL, time_cell),
    TABLE_SHOWN("cumsecs", NULL, "of it and of the rows above", NULL, sum_cell),
    TABLE_SHOWN("#call", NULL, "calls that were counted", NULL, calls_cell),
    TABLE_SHOWN("ms/call", NULL, "milliseconds of one call", NULL, cost_cell),
    {0}};

static void put_prof_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct rows_row *row = ((const struct row *)at)->row;
    if (is_special(row, STACKS_UNPROFILED))
        sheet_put(sheet, buf_copy(UNPROFILED));
    else if (is_special(row, STACKS_LOST))
        sheet_put(sheet, buf_copy(LOST));
    else
        view_put_name(((const struct context *)of)->view, sheet, row);
}

static const struct table_view prof_table = {
    .name = "prof", .columns = columns, .names = {"name", put_prof_name}};

static void print_prof(FILE *out, const struct view *view)
{
    const struct rows_row none = {.source = {.name = STACKS_UNPROFILED}};
    size_t count;
    struct row *rows = find_rows(view, &count, &none);
    const struct context of = {view, find_decimals(view, rows, count)};
    struct table table = {.view = &prof_table, .of = &of, .own = rows, .release = free};
    for (size_t i = 0; i < count; i++)
        table_add(&table, &rows[i]);
    table_cut(&table, view->style.top);
    table_print(out, &table, false);
    table_free(&table);
}

static bool check_prof(const struct view *view, const char *option, struct fault *fault)
{
    unsigned kind = view->profile->kind | view->report->left_out;
    if (kind && !(kind & CCPROF_KIND_TIME))
        return fault_set(fault, FAULT_MISMATCH, option,
                         "no time was measured: compile with "
                         "-fplugin-arg-ccprof-profile=time,count");
    if (kind && !(kind & CCPROF_KIND_COUNT)) {
        progress_clear();
        fputs("mlprof: -prof: no calls were counted: compile with "
              "-fplugin-arg-ccprof-profile=time,count\n",
              stderr);
    }
    return true;
}

const struct views_entry prof_entry = {
    .name = "prof",
    .topic = TOPIC_TABLE,
    .use = 10,
    .help = "print prof(1)'s table: time, calls, ms per call",
    .details = "The calls need a program compiled with profile=time,count.",
    .kind = OUTPUTS_TIMES,
    .data = {{&prof_table, NULL}},
    .check = check_prof,
    .head = view_no_header,
    .timed = true,
    .print = print_prof,
};
