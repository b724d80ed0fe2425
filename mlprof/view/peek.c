/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints functions between their callers and callees, in one table each, for -peek.  */

#include "mlprof/base/buf.h"
#include "mlprof/view/measured.h"
#include "mlprof/view/neighbours.h"
#include "mlprof/view/views.h"

#include <stdlib.h>

/* Prints the function in row NUMBER between its CALLERS and CALLEES.  Returns whether a
   number in the table is an estimate.  */
static bool print_row(FILE *out, const struct view *view, uint32_t number,
                      struct neighbours *callers, struct neighbours *callees)
{
    const struct rows_row *row = &view->rows->rows[number];
    const struct pairs_table_row itself = {.caller = number,
                                           .callee = number,
                                           .weight = row->stack,
                                           .calls = {row->calls, row->calls, row->calls},
                                           .named = PAIRS_TABLE_ITSELF};
    neighbours_find(callers, number);
    neighbours_find(callees, number);
    const struct pairs_table_of of = {
        view, true, neighbours_estimated(callers) || neighbours_estimated(callees)};
    struct table table = {.view = &pairs_table, .of = &of};
    neighbours_add(&table, callers);
    table_add(&table, &itself);
    neighbours_add(&table, callees);
    putc('\n', out);
    table_print(out, &table, view->style.mlton);
    table_free(&table);
    return of.estimated;
}

/* For qsort: by decreasing samples on the stack; equal rows keep their order.  */
static int by_stack(const void *one, const void *other)
{
    const struct rows_row *a = *(const struct rows_row *const *)one;
    const struct rows_row *b = *(const struct rows_row *const *)other;
    if (a->stack != b->stack)
        return a->stack > b->stack ? -1 : 1;
    return (a > b) - (a < b);
}

static bool *find(const struct view *view, const struct pattern *pattern)
{
    return view_find(view, pattern, view_matches);
}

static void print(FILE *out, const struct view *view, const struct views_asked *asked,
                  const bool *wanted)
{
    (void)asked;
    const struct rows *rows = view->rows;
    struct neighbours callers, callees;
    BUF_OWN const struct rows_row **matched =
        buf_alloc((rows->count + 1) * sizeof *matched);
    size_t count = 0;
    bool guessed = false;
    for (size_t i = 0; i < rows->count; i++)
        if (wanted[i])
            matched[count++] = &rows->rows[i];
    qsort(matched, count, sizeof *matched, by_stack);
    neighbours_begin(&callers, view, NEIGHBOURS_CALLERS);
    neighbours_begin(&callees, view, NEIGHBOURS_CALLEES);
    for (size_t i = 0; i < count; i++)
        guessed |=
            print_row(out, view, (uint32_t)(matched[i] - rows->rows), &callers, &callees);
    measured_guessed(out, view, guessed);
    neighbours_free(&callers);
    neighbours_free(&callees);
}

const struct views_entry peek_entry = {
    .name = "peek",
    .topic = TOPIC_CALLS,
    .use = 1,
    .help = "list callers, function and callees in one table",
    .details = "Of each matching function, as pprof does.\n" VIEWS_PATTERN_DETAILS,
    .takes = VIEWS_PATTERN,
    .goes_by =
        VIEWS_BY_COPIES VIEWS_BY_MEASURE VIEWS_BY_ROWS "merge-builds raw show-line",
    .beside = "compare",
    .facts = VIEWS_CALLS | VIEWS_BLOCKS,
    .columns = &pairs_table,
    .find = find,
    .finds = "function",
    .head = view_header,
    .timed = true,
    .print = print,
};
