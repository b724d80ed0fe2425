/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/text.h"
#include "mlprof/export/datatables.h"
#include "mlprof/regions/regionevents.h"

#include <stdlib.h>

static const struct regionrows *rows_of(const struct view *view)
{
    static const struct regionrows none;
    return view->regions ? &view->regions[view->style.regions] : &none;
}

static bool is_asked(const struct export_asked *asked, const struct regionrows_row *row)
{
    return !asked || !asked->pattern || pattern_is_in(asked->pattern, row->name);
}

static void put_time(struct datatable *table, bool known, double nanoseconds)
{
    if (known)
        datatable_number(table, nanoseconds);
    else
        datatable_null(table);
}

static void put_percentile(struct datatable *table, bool known,
                           const struct regiontimes_percentile *percentile)
{
    put_time(table, known, percentile->at);
    put_time(table, known, percentile->least);
    put_time(table, known, percentile->most);
}

/* Columns region, position, place.  */
static void put_name(struct datatable *table, const struct regionrows_row *row)
{
    char *place = row->place ? text_plain(row->place) : NULL;
    datatable_text(table, row->name);
    datatable_text(table, row->position);
    datatable_text(table, place);
    free(place);
}

static void put_row(struct datatable *table, const struct regionrows_row *row)
{
    const struct regions_sums *sums = &row->sums;
    const struct regiontimes *times = &row->times;
    bool any = sums->count > 0, cold = sums->cold > 0, warm = sums->cold < sums->count;
    put_name(table, row);
    datatable_integer(table, sums->count);
    put_time(table, any, row->total);
    put_time(table, any, times->self);
    put_time(table, any, times->mean);
    put_time(table, sums->count > 1, times->deviation);
    put_time(table, sums->count > 1, times->error);
    put_percentile(table, any, &times->p50);
    put_percentile(table, any, &times->p99);
    put_time(table, any, times->min);
    put_time(table, any, times->max);
    put_time(table, any, times->first);
    put_time(table, any && sums->has_cpu, times->cpu);
    datatable_integer(table, sums->cold);
    put_time(table, cold, times->cold);
    put_time(table, cold, times->cold_min);
    put_time(table, cold, times->cold_max);
    put_time(table, warm, times->warm);
    datatable_integer(table, sums->left);
    datatable_integer(table, sums->open);
    put_time(table, sums->open > 0, times->spent);
    datatable_integer(table, sums->inside);
    put_time(table, any, times->cost);
    put_time(table, any, times->measuring);
    datatable_bool(table, any && regiontimes_is_bound(times->mean, times->measuring));
}

void datatables_regions(struct datatable *table, const struct view *view,
                        const struct export_asked *asked)
{
    static const char *const heads[] = {
        "region",       "position",    "place",        "calls",         "total_ns",
        "self_ns",      "mean_ns",     "deviation_ns", "mean_error_ns", "p50_ns",
        "p50_least_ns", "p50_most_ns", "p99_ns",       "p99_least_ns",  "p99_most_ns",
        "min_ns",       "max_ns",      "first_ns",     "mean_cpu_ns",   "cold_calls",
        "cold_mean_ns", "cold_min_ns", "cold_max_ns",  "warm_mean_ns",  "calls_left",
        "calls_open",   "open_ns",     "calls_inside", "subtracted_ns", "measuring_ns",
        "is_bound",     NULL};
    const struct regionrows *rows = rows_of(view);
    table->heads = heads;
    for (size_t i = 0; i < rows->count; i++)
        if (is_asked(asked, &rows->rows[i]))
            put_row(table, &rows->rows[i]);
}

void datatables_region_buckets(struct datatable *table, const struct view *view,
                               const struct export_asked *asked)
{
    static const char *const heads[] = {"region",   "position", "place", "least_ns",
                                        "below_ns", "calls",    NULL};
    const struct regionrows *rows = rows_of(view);
    table->heads = heads;
    for (size_t i = 0; i < rows->count; i++) {
        const struct regionrows_row *row = &rows->rows[i];
        for (size_t k = 0; is_asked(asked, row) && k < CCPROF_BUCKETS; k++) {
            double least = (double)regions_bucket_least(k);
            double end = (double)regions_bucket_end(k);
            if (!row->sums.buckets[k])
                continue;
            put_name(table, row);
            datatable_number(table, regiontimes_without(&row->sums, &rows->cost, least));
            put_time(table, end > 0, regiontimes_without(&row->sums, &rows->cost, end));
            datatable_integer(table, row->sums.buckets[k]);
        }
    }
}

void datatables_region_events(struct datatable *table, const struct view *view,
                              const struct export_asked *asked)
{
    static const char *const heads[] = {"region",      "path",      "thread", "start_ns",
                                        "measured_ns", "length_ns", NULL};
    const struct regionrows *rows = rows_of(view);
    struct regionevents events = {0};
    table->heads = heads;
    if (!view->regions)
        return;
    const struct regionrows *paths = &view->regions[REGIONROWS_PATHS];
    regionevents_fill(&events, view->profile);
    for (size_t i = 0; i < events.count; i++) {
        const struct regionevents_call *call = &events.calls[i];
        const struct regionrows_row *row = &rows->rows[rows->of_path[call->path]];
        if (!is_asked(asked, row))
            continue;
        datatable_text(table, row->name);
        datatable_text(table, paths->rows[paths->of_path[call->path]].name);
        datatable_text(table, events.lanes[call->lane].name);
        datatable_integer(table, call->start);
        datatable_integer(table, call->end - call->start);
        datatable_number(table, regionrows_length(rows, call->path, call->ticks));
    }
    regionevents_free(&events);
}
