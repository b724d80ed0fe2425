/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "mlprof/view/imbalance.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sheet.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *imbalance_lacks(const struct view *view, enum spread_over over)
{
    const struct profile *profile = view->profile;
    if (profile->kind && profile_measure(profile) != PROFILE_SAMPLES)
        return "what was counted is not told apart by rank or thread; samples of time "
               "are";
    if (profile->samples == profile->lost)
        return NULL;
    if (over == SPREAD_RANKS && !origins_ranks(&profile->origins))
        return ORIGINS_NO_RANKS;
    if (over == SPREAD_THREADS && profile->thread_names.count == 0)
        return "samples are not told apart by thread: run the program with "
               "CCPROF=threads=yes";
    return NULL;
}

static bool is_inclusive(const struct view *view)
{
    return view->style.order == VIEW_STACK && view->rows->stack;
}

static const struct spread_load *load_of(const struct view *view,
                                         const struct rows_row *row)
{
    size_t number = (size_t)(row - view->rows->rows);
    return is_inclusive(view) ? &view->spread->stack[number] : &view->spread->own[number];
}

/* Samples by which the worker with the most exceeds the mean.  */
static double lost(const struct view *view, const struct spread_load *load)
{
    return (double)load->most - spread_mean(view->spread, load);
}

static int by_lost(const void *one, const void *other, void *context)
{
    const struct view *view = context;
    const struct rows_row *a = *(const struct rows_row *const *)one;
    const struct rows_row *b = *(const struct rows_row *const *)other;
    const struct spread_load *load = load_of(view, a), *than = load_of(view, b);
    if (view->style.order == VIEW_NAME)
        return view_by_name(a, b);
    if (load->certain != than->certain)
        return than->certain - load->certain;
    double difference = load->certain ? lost(view, than) - lost(view, load)
                                      : (double)than->total - (double)load->total;
    return difference ? (difference > 0 ? 1 : -1) : (a > b) - (a < b);
}

/* The rows to print, COUNT of them, to be freed.  */
static const struct rows_row **find_rows(const struct view *view, size_t *count)
{
    const struct rows *rows = view->rows;
    const struct rows_row **found = buf_alloc((rows->count + 1) * sizeof *found);
    struct view context = *view;
    *count = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (load_of(view, &rows->rows[i])->total &&
            view_reaches(view, load_of(view, &rows->rows[i])->total) &&
            view_keeps(view, &rows->rows[i]))
            found[(*count)++] = &rows->rows[i];
    if (*count)
        qsort_r(found, *count, sizeof *found, by_lost, &context);
    *count = view_top(view, *count);
    return found;
}

static char *seconds(const struct view *view, double samples)
{
    char *text = text_commas(samples / (double)view->profile->rate, 2);
    char *cell = buf_format("%s s", text);
    free(text);
    return cell;
}

static void put_row(struct sheet *sheet, const struct view *view,
                    const struct rows_row *row)
{
    const struct spread_load *load = load_of(view, row);
    double mean = spread_mean(view->spread, load);
    sheet_put(sheet, view_percent(view, load->total));
    sheet_put(sheet, seconds(view, mean));
    sheet_put(sheet, seconds(view, (double)load->least));
    sheet_put(sheet, seconds(view, (double)load->most));
    sheet_put(sheet, load->certain ? buf_format("%.2f", (double)load->most / mean)
                                   : buf_copy("-"));
    sheet_put(sheet, load->certain ? seconds(view, lost(view, load)) : buf_copy("-"));
    sheet_put(sheet, load->certain
                         ? buf_format("%" PRIu64, view->spread->workers[load->at].number)
                         : buf_copy("-"));
    view_put_name(view, sheet, row);
}

/* Of what a rank has measured this part must be lost to be told of.  */
#define LOST_TOLD 0.01

static double lost_part(const struct spread_worker *worker)
{
    return worker->samples ? (double)worker->lost / (double)worker->samples : 0;
}

/* Samples that were lost are in no row: such a rank has done more than is told.  */
static void print_lost(FILE *out, const struct view *view)
{
    const struct spread_worker *all = view->spread->workers;
    size_t count = 0, worst = 0;
    for (size_t i = 0; i < view->spread->count; i++) {
        count += lost_part(&all[i]) >= LOST_TOLD;
        if (lost_part(&all[i]) > lost_part(&all[worst]))
            worst = i;
    }
    if (count) {
        char *time = seconds(view, (double)all[worst].lost);
        char *others = text_number(count - 1, "other rank");
        fprintf(out, "%s (%.1f %%) of rank %" PRIu64 "%s%s %s lost and in no row\n", time,
                100 * lost_part(&all[worst]), all[worst].number,
                count > 1 ? ", and less of " : "", count > 1 ? others : "",
                count > 1 ? "were" : "was");
        free(time);
        free(others);
    }
}

void imbalance_print(FILE *out, const struct view *view)
{
    bool ranks = view->spread->over == SPREAD_RANKS;
    const char *const heads[] = {is_inclusive(view) ? "stack" : "cur",
                                 "mean",
                                 "least",
                                 "most",
                                 "most/mean",
                                 "lost",
                                 ranks ? "rank" : "thread"};
    struct sheet sheet = {0};
    size_t count;
    const struct rows_row **rows = find_rows(view, &count);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        sheet_column(&sheet, heads[i], SHEET_NUMBER, 0);
    sheet_column(&sheet, "function", SHEET_TEXT, 0);
    for (size_t i = 0; i < count; i++)
        put_row(&sheet, view, rows[i]);
    sheet_print(out, &sheet, view->style.mlton);
    free(rows);
    if (view->spread->apart) {
        char *apart = seconds(view, (double)view->spread->apart);
        fprintf(out, "%s %s are not told here\n", apart,
                ranks ? "in processes that no launcher has numbered"
                      : "of which the thread is not known");
        free(apart);
    }
    if (ranks)
        print_lost(out, view);
}
