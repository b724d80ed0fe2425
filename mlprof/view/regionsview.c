/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/regionsview.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/view/measuring.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NANOSECOND 1e-9

static const struct regionrows *rows_of(const struct view *view)
{
    return &view->regions[view->style.regions];
}

static const char *noun_of(const struct view *view)
{
    static const char *const nouns[] = {[REGIONROWS_NAMES] = "region",
                                        [REGIONROWS_COPIES] = "copy",
                                        [REGIONROWS_PATHS] = "path"};
    return nouns[view->style.regions];
}

static char *time_text(double nanoseconds)
{
    return text_time(nanoseconds * NANOSECOND);
}

/* A time that is there if calls are, and of which so much was MEASURING.  */
static char *time_if(const struct regionrows *rows, uint64_t calls, double nanoseconds,
                     double measuring)
{
    return calls ? regiontimes_sure_text(nanoseconds, measuring, rows->cost.tick)
                 : buf_copy("-");
}

static char *calls_text(uint64_t count)
{
    return text_commas((double)count, 0);
}

static int by_number(double a, double b)
{
    return (a < b) - (a > b);
}

static int by_place(const struct regionrows_row *a, const struct regionrows_row *b)
{
    return a < b ? -1 : a > b;
}

static int by_name(const void *one, const void *other)
{
    const struct regionrows_row *const *a = one, *const *b = other;
    int order = strcmp((*a)->name, (*b)->name);
    return order ? order : by_place(*a, *b);
}

static int by_calls(const void *one, const void *other)
{
    const struct regionrows_row *const *a = one, *const *b = other;
    int order = by_number((double)(*a)->sums.count, (double)(*b)->sums.count);
    return order ? order : by_place(*a, *b);
}

static int by_mean(const void *one, const void *other)
{
    const struct regionrows_row *const *a = one, *const *b = other;
    int order = by_number((*a)->times.mean, (*b)->times.mean);
    return order ? order : by_place(*a, *b);
}

const struct regionrows_row **regionsview_order(const struct regionrows *rows,
                                                enum view_order order)
{
    const struct regionrows_row **list = buf_alloc((rows->count + 1) * sizeof *list);
    for (size_t i = 0; i < rows->count; i++)
        list[i] = &rows->rows[i];
    int (*compare)(const void *, const void *) = order == VIEW_NAME       ? by_name
                                                 : order == VIEW_CALLS    ? by_calls
                                                 : order == VIEW_PER_CALL ? by_mean
                                                                          : NULL;
    if (compare && rows->count)
        qsort(list, rows->count, sizeof *list, compare);
    return list;
}

/* Another row is called alike.  */
static bool is_alike(const struct regionrows *rows, const struct regionrows_row *row)
{
    for (size_t i = 0; i < rows->count; i++)
        if (&rows->rows[i] != row && strcmp(rows->rows[i].name, row->name) == 0)
            return true;
    return false;
}

void regionsview_put_name(const struct view *view, struct sheet *sheet,
                          const struct regionrows_row *row)
{
    bool wanted = view->style.show_line || is_alike(rows_of(view), row);
    if (row->place)
        sheet_put_place(sheet, text_part(row->name), buf_copy(row->place));
    else
        sheet_put_name(sheet, buf_copy(row->name),
                       wanted && row->position ? buf_copy(row->position) : NULL);
}

/* The share of all that regions took, 0 to 100.  */
static double percent_of(const struct regionrows *rows, const struct regionrows_row *row)
{
    return rows->all > 0 ? 100 * row->total / rows->all : 0;
}

static void add_columns(struct sheet *sheet, const struct view *view)
{
    const struct regionrows *rows = rows_of(view);
    sheet_column(sheet, "calls", SHEET_NUMBER, 1);
    sheet_column(sheet, "total", SHEET_NUMBER, 1);
    if (rows->has_inside) {
        sheet_column(sheet, "self", SHEET_NUMBER, 1);
        sheet_gives_way(sheet);
    }
    sheet_column(sheet, "mean", SHEET_NUMBER, 1);
    if (rows->has_cpu)
        sheet_column(sheet, "cpu", SHEET_NUMBER, 1);
    sheet_column(sheet, "+-", SHEET_NUMBER, 1);
    sheet_column(sheet, "p50", SHEET_NUMBER, 1);
    sheet_column(sheet, "p99", SHEET_NUMBER, 1);
    sheet_column(sheet, "max", SHEET_NUMBER, 1);
    sheet_column(sheet, "first", SHEET_NUMBER, 1);
    sheet_gives_way(sheet);
    sheet_column(sheet, noun_of(view), SHEET_TEXT, 0);
}

static void put_row(struct sheet *sheet, const struct view *view,
                    const struct regionrows_row *row)
{
    const struct regionrows *rows = rows_of(view);
    const struct regiontimes *times = &row->times;
    uint64_t count = row->sums.count;
    double measuring = times->measuring;
    sheet_put(sheet, calls_text(count));
    sheet_put(sheet, time_if(rows, count, row->total, measuring * (double)count));
    if (rows->has_inside)
        sheet_put(sheet, time_if(rows, count, times->self, times->self_measuring));
    sheet_put(sheet, time_if(rows, count, times->mean, measuring));
    if (rows->has_cpu)
        sheet_put(sheet, count ? time_text(times->cpu) : buf_copy("-"));
    sheet_put(sheet, time_if(rows, count > 1, times->deviation, 0));
    sheet_put(sheet, time_if(rows, count, times->p50.at, measuring));
    sheet_put(sheet, time_if(rows, count, times->p99.at, measuring));
    sheet_put(sheet, time_if(rows, count, times->max, measuring));
    sheet_put(sheet, time_if(rows, count, times->first, measuring));
    regionsview_put_name(view, sheet, row);
}

/* Cold calls beside the others.  */
static void print_cold(FILE *out, const struct view *view,
                       const struct regionrows_row *const *list, size_t count)
{
    static const char *const heads[] = {"cold", "mean", "min", "max", "warm", "mean"};
    const struct regionrows *rows = rows_of(view);
    struct sheet sheet = {0};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        sheet_column(&sheet, heads[i], SHEET_NUMBER, 1);
    sheet_column(&sheet, noun_of(view), SHEET_TEXT, 0);
    for (size_t i = 0; i < count; i++) {
        const struct regionrows_row *row = list[i];
        uint64_t warm = row->sums.count - row->sums.cold;
        double measuring = row->times.measuring;
        if (!row->sums.cold || !warm)
            continue;
        sheet_put(&sheet, calls_text(row->sums.cold));
        sheet_put(&sheet, time_if(rows, 1, row->times.cold, measuring));
        sheet_put(&sheet, time_if(rows, 1, row->times.cold_min, measuring));
        sheet_put(&sheet, time_if(rows, 1, row->times.cold_max, measuring));
        sheet_put(&sheet, calls_text(warm));
        sheet_put(&sheet, time_if(rows, 1, row->times.warm, measuring));
        regionsview_put_name(view, &sheet, row);
    }
    if (sheet.count)
        putc('\n', out);
    if (sheet.count)
        sheet_print(out, &sheet, view->style.mlton);
}

void regionsview_print_header(FILE *out, const struct view *view)
{
    const struct regionrows *rows = &view->regions[REGIONROWS_NAMES];
    uint64_t calls = 0;
    for (size_t i = 0; i < rows->count; i++)
        calls += rows->rows[i].sums.count;
    char *number = text_number(calls, "call"),
         *regions = text_number(rows->count, "region");
    char *time = regiontimes_sure_text(rows->all, rows->subtracted ? rows->measuring : 0,
                                       rows->cost.tick);
    char *part = measuring_part(view);
    fprintf(out, "%s of %s, %s of real time in them%s\n", number, regions, time, part);
    free(part);
    free(number);
    free(regions);
    free(time);
}

void regionsview_print(FILE *out, const struct view *view)
{
    const struct regionrows *rows = rows_of(view);
    const struct regionrows_row **list = regionsview_order(rows, view->style.order);
    struct sheet sheet = {0};
    size_t count = 0;
    add_columns(&sheet, view);
    for (size_t i = 0; i < rows->count; i++)
        if (percent_of(rows, list[i]) >= view->style.thresh)
            list[count++] = list[i];
    count = view_top(view, count);
    for (size_t i = 0; i < count; i++)
        put_row(&sheet, view, list[i]);
    sheet_print(out, &sheet, view->style.mlton);
    print_cold(out, view, list, count);
    free(list);
}

static void print_unended(FILE *out, const struct regionrows *rows,
                          const struct regionrows_row *row)
{
    if (row->sums.left) {
        char *calls = text_number(row->sums.left, "call");
        fprintf(out, "%s of %s did not come to the end: longjmp, or the thread's end\n",
                calls, row->name);
        free(calls);
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

void regionsview_print_foot(FILE *out, const struct view *view)
{
    static const char *const clocks[] = {[REGIONS_NONE] = "",
                                         [REGIONS_TSC] = "tsc",
                                         [REGIONS_CNTVCT] = "cntvct",
                                         [REGIONS_RDTIME] = "rdtime",
                                         [REGIONS_MONOTONIC] = "clock_gettime"};
    const struct regionrows *rows = rows_of(view);
    putc('\n', out);
    measuring_print(out, view);
    if (view->profile->regions.unplaced) {
        char *calls = text_number(view->profile->regions.unplaced, "call");
        fprintf(out,
                "%s stand without the regions around them: there was no room for more "
                "paths\n",
                calls);
        free(calls);
    }
    for (size_t i = 0; i < rows->count; i++)
        print_unended(out, rows, &rows->rows[i]);
    char *inner = time_text(rows->measured.inner),
         *outer = time_text(rows->measured.outer);
    char *tick = time_text(rows->measured.tick);
    fprintf(out,
            "measuring makes a call %s longer, and what is around it %s: %ssubtracted\n"
            "clock: %s, of %s a tick\n",
            inner, outer, rows->subtracted ? "" : "not ",
            clocks[view->profile->regions.clock], tick);
    free(tick);
    free(inner);
    free(outer);
}
