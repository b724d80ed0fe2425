/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the real time of regions, for -regions, and what stands around all views of
   regions.  */

#include "mlprof/view/regionsview.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/view/measuring.h"
#include "mlprof/view/regions-table.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stdlib.h>

#define NANOSECOND 1e-9

static char *time_text(double nanoseconds)
{
    return text_time(nanoseconds * NANOSECOND);
}

void regionsview_print_header(FILE *out, const struct view *view)
{
    if (!view->regions) {
        view_header(out, view);
        return;
    }
    const struct regionrows *rows = &view->regions[REGIONROWS_NAMES];
    uint64_t calls = 0;
    for (size_t i = 0; i < rows->count; i++)
        calls += rows->rows[i].sums.count;
    BUF_OWN char *number = text_number(calls, "call"),
                 *regions = text_number(rows->count, "region");
    BUF_OWN char *time = regiontimes_sure_text(
        rows->all, rows->subtracted ? rows->measuring : 0, rows->cost.tick);
    BUF_OWN char *part = measuring_part(view);
    fprintf(out, "%s of %s, %s of real time in them%s\n", number, regions, time, part);
}

/* All rows in the order of the style.  */
static struct table sorted_table(const struct view *view)
{
    struct table table = {.view = &regions_table, .of = view};
    const struct regionrows *rows = regions_table_rows(view);
    for (size_t i = 0; i < rows->count; i++)
        table_add(&table, &rows->rows[i]);
    table_sort(&table, view->style.order);
    return table;
}

/* A row's share of the time of all regions, in percent.  */
static double percent_of(const struct regionrows *rows, const struct regionrows_row *row)
{
    return rows->all > 0 ? 100 * row->total / rows->all : 0;
}

/* Prints the rows and, if some have both cold and other calls, a second table of
   these.  */
static void print(FILE *out, const struct view *view, const struct views_asked *asked,
                  const bool *wanted)
{
    (void)asked, (void)wanted;
    if (!view->regions)
        return;
    const struct regionrows *rows = regions_table_rows(view);
    struct table table = sorted_table(view);
    struct table cold = {.view = &regions_cold_table, .of = view};
    size_t count = 0;
    for (size_t i = 0; i < table.count; i++)
        if (percent_of(rows, table.rows[i]) >= view->style.thresh)
            table.rows[count++] = table.rows[i];
    table.count = count;
    table_cut(&table, view->style.top);
    for (size_t i = 0; i < table.count; i++) {
        const struct regionrows_row *row = table.rows[i];
        if (row->sums.cold && row->sums.cold < row->sums.count)
            table_add(&cold, row);
    }
    table_print(out, &table, view->style.mlton);
    if (cold.count) {
        putc('\n', out);
        table_print(out, &cold, view->style.mlton);
    }
    table_free(&cold);
    table_free(&table);
}

static void print_unended(FILE *out, const struct regionrows *rows,
                          const struct regionrows_row *row)
{
    if (row->sums.left) {
        BUF_OWN char *calls = text_number(row->sums.left, "call");
        fprintf(out, "%s of %s did not come to the end: longjmp, or the thread's end\n",
                calls, row->name);
    }
    if (row->sums.open) {
        char *calls = text_number(row->sums.open, "call"), *time;
        time = regiontimes_text(row->times.spent, rows->cost.tick);
        fprintf(out, "%s of %s had not ended, and took %s so far\n", calls, row->name,
                time);
        free(time);
        free(calls);
    }
}

bool regionsview_check(const struct view *view, const char *option, struct fault *fault)
{
    if (!view->profile->kind || view->regions)
        return true;
    return fault_set(
        fault, FAULT_MISMATCH, option,
        "no regions were measured: ccprof(3) tells of CCPROF_REGION, and "
        "ccprof(1) of -fplugin-arg-ccprof-stopwatch, which goes by the names "
        "that -names plain shows");
}

static bool check(const struct view *view, const struct views_asked *asked,
                  struct fault *fault)
{
    (void)asked;
    return regionsview_check(view, "-regions", fault);
}

void regionsview_print_foot(FILE *out, const struct view *view)
{
    static const char *const clocks[] = {[REGIONS_NONE] = "",
                                         [REGIONS_TSC] = "tsc",
                                         [REGIONS_CNTVCT] = "cntvct",
                                         [REGIONS_RDTIME] = "rdtime",
                                         [REGIONS_MONOTONIC] = "clock_gettime"};
    const struct regionrows *rows = regions_table_rows(view);
    putc('\n', out);
    measuring_print(out, view);
    if (view->profile->regions.unplaced) {
        BUF_OWN char *calls = text_number(view->profile->regions.unplaced, "call");
        fprintf(out,
                "%s stand without the regions around them: there was no room for more "
                "paths\n",
                calls);
    }
    for (size_t i = 0; i < rows->count; i++)
        print_unended(out, rows, &rows->rows[i]);
    BUF_OWN char *inner = time_text(rows->measured.inner),
                 *outer = time_text(rows->measured.outer);
    BUF_OWN char *tick = time_text(rows->measured.tick);
    fprintf(out,
            "measuring makes a call %s longer, and what is around it %s: %ssubtracted\n"
            "clock: %s, of %s a tick\n",
            inner, outer, rows->subtracted ? "" : "not ",
            clocks[view->profile->regions.clock], tick);
}

const struct views_entry regionsview_entry = {
    .name = "regions",
    .topic = TOPIC_REGIONS,
    .use = 1,
    .help = "print the real time of regions",
    .details =
        "Of CCPROF_REGION in ccprof(3), and of functions that were compiled with\n"
        "stopwatch. +- is the standard deviation of the calls. With -compare: how\n"
        "the mean time of their calls changed.",
    .goes_by = VIEWS_BY_NAMES VIEWS_BY_ROWS "by paths show-line subtract",
    .facts = VIEWS_REGIONS,
    .beside = "compare",
    .columns = &regions_table,
    .data = {{&regions_table, regions_table_fill, 7}},
    .check = check,
    .head = regionsview_print_header,
    .print = print,
};
