/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/region-calls-table.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/regions/regionevents.h"
#include "mlprof/view/regions-table.h"

#include <stdlib.h>

/* The calls of a region whose lengths are in one bucket.  */
struct bucket {
    const struct regionrows_row *row;
    size_t number;
};

#define BUCKET(name, expression)                                                         \
    TABLE_VALUE(name, const struct bucket *bucket = at, expression)

static double without(const void *of, const struct bucket *bucket, uint64_t nanoseconds)
{
    return regiontimes_without(&bucket->row->sums, &regions_table_rows(of)->cost,
                               (double)nanoseconds);
}

BUCKET(bucket_region, table_text(bucket->row->name))
BUCKET(bucket_position, table_text(bucket->row->position))
BUCKET(bucket_place,
       table_text_freed(bucket->row->place ? text_plain(bucket->row->place) : NULL))
BUCKET(bucket_least,
       table_number(without(of, bucket, regions_bucket_least(bucket->number))))
BUCKET(bucket_end,
       table_number_if(regions_bucket_end(bucket->number) > 0,
                       without(of, bucket, regions_bucket_end(bucket->number))))
BUCKET(bucket_calls, table_integer(bucket->row->sums.buckets[bucket->number]))

static const struct table_column bucket_columns[] = {
    TABLE_DATA("region", "with -paths those around it stand before it, with > between",
               bucket_region),
    TABLE_DATA("position",
               "of a function that was compiled with a stopwatch: file and line",
               bucket_position),
    TABLE_DATA("place", "of a copy of such a function, with -by copy: which one",
               bucket_place),
    TABLE_DATA("least_ns", "the least time in it", bucket_least),
    TABLE_DATA("below_ns", "times in it are shorter; null: there is no limit",
               bucket_end),
    TABLE_DATA("calls", "that took so long", bucket_calls),
    {0}};

const struct table_view buckets_table = {.name = "region_buckets",
                                         .columns = bucket_columns};

void region_calls_table_fill_buckets(struct table *table, const struct view *view,
                                     const struct pattern *asked)
{
    const struct regionrows *rows = regions_table_rows(view);
    struct bucket *buckets = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0;
             regions_table_is_asked(asked, &rows->rows[i]) && k < CCPROF_BUCKETS; k++)
            if (rows->rows[i].sums.buckets[k]) {
                buckets = buf_grow(buckets, &capacity, count + 1, sizeof *buckets);
                buckets[count++] = (struct bucket){&rows->rows[i], k};
            }
    for (size_t i = 0; i < count; i++)
        table_add(table, &buckets[i]);
    table->own = buckets;
    table->release = free;
}

/* The context of the columns of calls that were kept one by one.  */
struct kept {
    const struct view *view;
    struct regionevents events;
};

#define EVENT(name, expression)                                                          \
    TABLE_VALUE(name, const struct kept *kept = of;                                      \
                const struct regionevents_call *call = at; (void)kept, expression)

static const struct regionrows_row *row_of(const struct regionrows *rows, uint32_t path)
{
    return &rows->rows[rows->of_path[path]];
}

EVENT(event_region, table_text(row_of(regions_table_rows(kept->view), call->path)->name))
EVENT(event_path,
      table_text(row_of(&kept->view->regions[REGIONROWS_PATHS], call->path)->name))
EVENT(event_thread, table_text(kept->events.lanes[call->lane].name))
EVENT(event_start, table_integer(call->start))
EVENT(event_measured, table_integer(call->end - call->start))
EVENT(event_length, table_number(regionrows_length(regions_table_rows(kept->view),
                                                   call->path, call->ticks)))

static const struct table_column event_columns[] = {
    TABLE_DATA("region", "as in regions", event_region),
    TABLE_DATA("path", "with those around it in front of it, with > between", event_path),
    TABLE_DATA("thread",
               "its number and name; other threads: of those that are not told apart",
               event_thread),
    TABLE_DATA("start_ns", "from where the process began to be measured", event_start),
    TABLE_DATA("measured_ns", "how long it took", event_measured),
    TABLE_DATA("length_ns", "without what it cost to measure it", event_length),
    {0}};

const struct table_view events_table = {.name = "region_events",
                                        .columns = event_columns};

static void release_kept(void *own)
{
    BUF_OWN struct kept *kept = own;
    regionevents_free(&kept->events);
}

void region_calls_table_fill_events(struct table *table, const struct view *view,
                                    const struct pattern *asked)
{
    if (!view->regions)
        return;
    struct kept *kept = buf_alloc(sizeof *kept);
    *kept = (struct kept){.view = view};
    regionevents_fill(&kept->events, view->profile);
    for (size_t i = 0; i < kept->events.count; i++)
        if (regions_table_is_asked(
                asked, row_of(regions_table_rows(view), kept->events.calls[i].path)))
            table_add(table, &kept->events.calls[i]);
    table->of = table->own = kept;
    table->release = release_kept;
}
