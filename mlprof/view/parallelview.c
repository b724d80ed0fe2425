/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/parallelview.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <stdlib.h>
#include <string.h>

static char *time_text(const struct view *view, double samples)
{
    return text_time(samples / (double)view->profile->rate);
}

static char *time_if(const struct view *view, bool known, double samples)
{
    return known ? time_text(view, samples) : buf_copy("-");
}

/* The share of all samples, 0 to 100.  */
static double percent_of(const struct view *view, const struct constructs_row *row)
{
    double samples = (double)view->profile->samples;
    return samples > 0 ? 100 * constructs_time(row) / samples : 0;
}

static int by_name(const void *one, const void *other)
{
    const struct constructs_row *const *a = one, *const *b = other;
    int order = strcmp((*a)->name, (*b)->name);
    return order ? order : *a < *b ? -1 : *a > *b;
}

/* To be freed.  */
static const struct constructs_row **order_rows(const struct view *view)
{
    const struct constructs *constructs = view->constructs;
    const struct constructs_row **list =
        buf_alloc((constructs->count + 1) * sizeof *list);
    for (size_t i = 0; i < constructs->count; i++)
        list[i] = &constructs->rows[i];
    if (view->style.order == VIEW_NAME)
        qsort(list, constructs->count, sizeof *list, by_name);
    return list;
}

static void add_columns(struct sheet *sheet)
{
    static const char *const heads[] = {"time",    "work", "inside", "at end",
                                        "threads", "mean", "least",  "most"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        sheet_column(sheet, heads[i], SHEET_NUMBER, 1);
    sheet_column(sheet, "most/mean", SHEET_NUMBER, 1);
    sheet_gives_way(sheet);
    sheet_column(sheet, "lost", SHEET_NUMBER, 1);
    sheet_column(sheet, "construct", SHEET_TEXT, 0);
}

static void put_row(struct sheet *sheet, const struct view *view,
                    const struct constructs_row *row)
{
    bool parallel = row->what == CONSTRUCTS_PARALLEL;
    bool construct = constructs_is_known(row);
    bool known = construct || row->what == CONSTRUCTS_UNKNOWN;
    sheet_put(sheet, buf_format("%.1f%%", percent_of(view, row)));
    sheet_put(sheet, time_if(view, known || row->work > 0, row->work));
    sheet_put(sheet, time_if(view, known, row->inside));
    sheet_put(sheet, time_if(view, parallel || (known && row->end > 0), row->end));
    sheet_put(sheet, construct ? buf_format("%zu", row->threads) : buf_copy("-"));
    sheet_put(sheet, time_if(view, row->lasted, row->mean));
    sheet_put(sheet, time_if(view, row->lasted, row->least));
    sheet_put(sheet, time_if(view, row->lasted, row->most));
    sheet_put(sheet, constructs_is_uneven(row) ? buf_format("%.2f", row->most / row->mean)
                                               : buf_copy("-"));
    sheet_put(sheet, time_if(view, constructs_is_uneven(row), constructs_lost(row)));
    sheet_put_name(sheet, buf_copy(row->name),
                   row->position ? buf_copy(row->position) : NULL);
}

void parallelview_print(FILE *out, const struct view *view)
{
    const struct constructs_row **list = order_rows(view);
    struct sheet sheet = {0};
    size_t count = 0;
    add_columns(&sheet);
    for (size_t i = 0; i < view->constructs->count; i++)
        if (percent_of(view, list[i]) >= view->style.thresh)
            list[count++] = list[i];
    count = view_top(view, count);
    for (size_t i = 0; i < count; i++)
        put_row(&sheet, view, list[i]);
    sheet_print(out, &sheet, view->style.mlton);
    free(list);
}

void parallelview_print_foot(FILE *out, const struct view *view)
{
    const struct constructs *constructs = view->constructs;
    bool unknown = false, coming = false;
    for (size_t i = 0; i < constructs->count; i++) {
        const struct constructs_row *row = &constructs->rows[i];
        unknown |= row->what == CONSTRUCTS_UNKNOWN;
        coming |= row->what == CONSTRUCTS_PARALLEL && row->came;
    }
    putc('\n', out);
    if (view->profile->clock == PROFILE_CPU)
        fputs("CPU time: of waiting it has only what the threads spin; "
              "CCPROF=clock=wall,threads=yes tells how long they wait\n",
              out);
    else if (!constructs->told)
        fputs("waiting at an end is not told from being idle: libgomp's code tells, and "
              "was not found, or is for another processor than x86-64\n",
              out);
    if (coming)
        fputs("least, mean and most are not told of a construct whose threads come and "
              "go\n",
              out);
    if (unknown)
        fputs(
            "<unknown construct>: nothing of it is on the stack; where its function has "
            "ended with a jump -fno-optimize-sibling-calls tells more\n",
            out);
}
