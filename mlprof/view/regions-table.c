/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns and rows of the tables of regions: by name, by copy, by path, the buckets
   of -histogram, and recorded calls. regionsview.c prints the lines around them. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/regions/regionevents.h"
#include "mlprof/view/views.h"

#include <stdlib.h>
#include <string.h>

const struct regionrows *regions_table_rows(const struct view *view)
{
    static const struct regionrows none;
    const struct regionrows *rows = report_regions(view->report, view->style.regions);
    return rows ? rows : &none;
}

TABLE_PRESENT(has_inside, const struct view *view, regions_table_rows(view)->has_inside)
TABLE_PRESENT(has_cpu, const struct view *view, regions_table_rows(view)->has_cpu)

/* Returns a time as text, or `-' unless KNOWN. MEASURING is the part of the time that
   is measuring overhead. */
static char *time_cell(const void *of, bool known, double nanoseconds, double measuring)
{
    return known ? regiontimes_sure_text(nanoseconds, measuring,
                                         regions_table_rows(of)->cost.tick)
                 : buf_copy("-");
}

static char *calls_cell(uint64_t calls)
{
    return text_commas((double)calls, 0);
}

/* Declares the variables of the expressions below. CALLS is the number of calls that
   have ended. COLD of them are cold calls, and WARM are other calls. */
#define OF_ROW                                                                           \
    const struct regionrows_row *row = at;                                               \
    const struct regiontimes *times = &row->times;                                       \
    uint64_t calls = row->sums.count, cold = row->sums.cold, warm = calls - cold;        \
    (void)of, (void)times, (void)calls, (void)cold, (void)warm

/* Defines the value and the cell of a column with a time. KNOWN says whether the time
   is known. MEASURING is the measuring overhead that the time includes. */
#define TIME(name, known, nanoseconds, measuring)                                        \
    VIEW_VALUE(name, table_number_if(known, nanoseconds))                                \
    VIEW_CELL(name, time_cell(of, known, nanoseconds, measuring))

VIEW_VALUE(region, table_text(row->name))
VIEW_VALUE(position, table_text(row->position))
VIEW_VALUE(place, table_text_freed(row->place ? text_plain(row->place) : NULL))
VIEW_VALUE(count, table_integer(calls))
TIME(total, calls, row->total, times->measuring *(double)calls)
TIME(self, calls, times->self, times->self_measuring)
TIME(mean, calls, times->mean, times->measuring)
TIME(deviation, calls > 1, times->deviation, 0)
VIEW_VALUE(error, table_number_if(calls > 1, times->error))
TIME(p50, calls, times->p50.value, times->measuring)
VIEW_VALUE(p50_least, table_number_if(calls, times->p50.least))
VIEW_VALUE(p50_most, table_number_if(calls, times->p50.most))
TIME(p99, calls, times->p99.value, times->measuring)
VIEW_VALUE(p99_least, table_number_if(calls, times->p99.least))
VIEW_VALUE(p99_most, table_number_if(calls, times->p99.most))
TIME(min, calls, times->min, times->measuring)
TIME(max, calls, times->max, times->measuring)
TIME(first, calls, times->first, times->measuring)
VIEW_VALUE(cpu, table_number_if(calls && row->sums.has_cpu, times->cpu))
VIEW_CELL(cpu, calls ? text_time(times->cpu * 1e-9) : buf_copy("-"))
VIEW_VALUE(cold_calls, table_integer(cold))
VIEW_CELL(cold_calls, calls_cell(cold))
TIME(cold_mean, cold, times->cold, times->measuring)
TIME(cold_min, cold, times->cold_min, times->measuring)
TIME(cold_max, cold, times->cold_max, times->measuring)
TIME(warm_mean, warm, times->warm, times->measuring)
VIEW_VALUE(left, table_integer(row->sums.left))
VIEW_VALUE(open, table_integer(row->sums.open))
VIEW_VALUE(open_time, table_number_if(row->sums.open, times->spent))
VIEW_VALUE(inside, table_integer(row->sums.inside))
VIEW_VALUE(subtracted, table_number_if(calls, times->cost))
VIEW_VALUE(measuring, table_number_if(calls, times->measuring))
VIEW_VALUE(is_bound,
           table_bool(calls &&regiontimes_is_bound(times->mean, times->measuring)))
VIEW_CELL(warm_calls, calls_cell(warm))

static const struct table_column columns[] = {
    {"region", "with -paths those around it stand before it, with > between", region,
     .sort = VIEW_NAME},
    TABLE_DATA("position",
               "of a function that was compiled with a stopwatch: file and line",
               position),
    TABLE_DATA("place", "of a copy of such a function, with -by copy: which one", place),
    {"calls", "that have ended", count, "calls", .sort = VIEW_CALLS},
    {"total_ns", "what calls took that were in no other one of the region", total,
     "total", .cell = total_cell},
    {"self_ns", "without calls of other regions inside", self, "self",
     .present = has_inside, .cell = self_cell, .drop_rank = 1},
    {"mean_ns", "of one call", mean, "mean", .cell = mean_cell, .sort = VIEW_PER_CALL},
    {"mean_cpu_ns", "CPU time of one call, if it was measured", cpu, "cpu",
     .present = has_cpu, .cell = cpu_cell},
    {"deviation_ns", "standard deviation of the calls", deviation, "+-",
     .cell = deviation_cell},
    TABLE_DATA("mean_error_ns", "standard deviation of the mean", error),
    {"p50_ns", "the median", p50, "p50", .cell = p50_cell},
    TABLE_DATA("p50_least_ns", "the least that it can be", p50_least),
    TABLE_DATA("p50_most_ns", "the most", p50_most),
    {"p99_ns", "99 of 100 calls took no longer", p99, "p99", .cell = p99_cell},
    TABLE_DATA("p99_least_ns", "the least that it can be", p99_least),
    TABLE_DATA("p99_most_ns", "the most", p99_most),
    {"min_ns", "the shortest call", min, "min", .cell = min_cell, .drop_rank = 1},
    {"max_ns", "the longest call", max, "max", .cell = max_cell},
    {"first_ns", "the first call of the process", first, "first", .cell = first_cell,
     .drop_rank = 1},
    TABLE_DATA("cold_calls", "the first ones of threads, or after a pause", cold_calls),
    TABLE_DATA("cold_mean_ns", "of one of these", cold_mean),
    TABLE_DATA("cold_min_ns", "the shortest", cold_min),
    TABLE_DATA("cold_max_ns", "the longest", cold_max),
    TABLE_DATA("warm_mean_ns", "of all other calls", warm_mean),
    TABLE_DATA("calls_left", "of the calls, those that did not come to their end", left),
    TABLE_DATA("calls_open", "that have not ended; they are not in calls", open),
    TABLE_DATA("open_ns", "what these took so far", open_time),
    TABLE_DATA("calls_inside", "of regions, in these calls", inside),
    TABLE_DATA("subtracted_ns", "from each call, what it cost to measure it", subtracted),
    TABLE_DATA(
        "measuring_ns",
        "what it took to measure a call and those inside of it, 0 with -no-subtract; "
        "known to a third",
        measuring),
    TABLE_DATA("is_bound",
               "mean_ns is less than three times that: the mean is no more than both and "
               "a third",
               is_bound),
    {0}};

/* The columns of the second table, which compares cold calls with the others. */
static const struct table_column cold_columns[] = {
    {.head = "cold", .cell = cold_calls_cell},
    {.head = "mean", .cell = cold_mean_cell},
    {.head = "min", .cell = cold_min_cell},
    {.head = "max", .cell = cold_max_cell},
    {.head = "warm", .cell = warm_calls_cell},
    {.head = "mean", .cell = warm_mean_cell},
    {0}};

static const char *noun(const void *of, unsigned which)
{
    (void)which;
    static const char *const nouns[] = {[REGIONROWS_NAMES] = "region",
                                        [REGIONROWS_COPIES] = "copy",
                                        [REGIONROWS_PATHS] = "path"};
    const struct view *view = of;
    return nouns[view->style.regions];
}

/* Returns whether another row has the same name. */
static bool has_namesake(const struct regionrows *rows, const struct regionrows_row *row)
{
    for (size_t i = 0; i < rows->count; i++)
        if (&rows->rows[i] != row && strcmp(rows->rows[i].name, row->name) == 0)
            return true;
    return false;
}

static void put_region_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct view *view = of;
    const struct regionrows_row *row = at;
    bool selected = view->style.show_line || has_namesake(regions_table_rows(view), row);
    if (row->place)
        sheet_put_place(sheet, text_part(row->name), buf_copy(row->place));
    else
        sheet_put_name(sheet, buf_copy(row->name),
                       selected && row->position ? buf_copy(row->position) : NULL);
}

const struct table_view regions_table = {
    .name = "regions",
    .columns = columns,
    .names = {.head_of = noun, .put = put_region_name}};
const struct table_view regions_cold_table = {
    .name = "cold",
    .columns = cold_columns,
    .names = {.head_of = noun, .put = put_region_name}};

static bool is_selected(const struct pattern *pattern, const struct regionrows_row *row)
{
    return !pattern || pattern_is_in(pattern, row->name);
}

void regions_table_fill(struct table *table, const struct view *view,
                        const struct pattern *pattern)
{
    const struct regionrows *rows = regions_table_rows(view);
    for (size_t i = 0; i < rows->count; i++)
        if (is_selected(pattern, &rows->rows[i]))
            table_add(table, &rows->rows[i]);
}

/* The calls of a region with durations in one bucket. */
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

void regions_table_fill_buckets(struct table *table, const struct view *view,
                                const struct pattern *pattern)
{
    const struct regionrows *rows = regions_table_rows(view);
    struct bucket *buckets = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; is_selected(pattern, &rows->rows[i]) && k < CCPROF_BUCKETS;
             k++)
            if (rows->rows[i].sums.buckets[k])
                BUF_NEXT(buckets, count, capacity) = (struct bucket){&rows->rows[i], k};
    for (size_t i = 0; i < count; i++)
        table_add(table, &buckets[i]);
    table->own = buckets;
    table->release = free;
}

/* The context of the columns of recorded single calls. */
struct recorded {
    const struct view *view;
    struct regionevents events;
};

#define EVENT(name, expression)                                                          \
    TABLE_VALUE(name, const struct recorded *recorded = of;                              \
                const struct regionevents_call *call = at; (void)recorded, expression)

static const struct regionrows_row *row_of(const struct regionrows *rows, uint32_t path)
{
    return &rows->rows[rows->of_path[path]];
}

EVENT(event_region,
      table_text(row_of(regions_table_rows(recorded->view), call->path)->name))
EVENT(event_path,
      table_text(row_of(report_regions(recorded->view->report, REGIONROWS_PATHS),
                        call->path)
                     ->name))
EVENT(event_thread, table_text(recorded->events.lanes.list[call->lane]))
EVENT(event_start, table_integer(call->start))
EVENT(event_measured, table_integer(call->end - call->start))
EVENT(event_length, table_number(regionrows_length(regions_table_rows(recorded->view),
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

static void release_recorded(void *own)
{
    BUF_OWN struct recorded *recorded = own;
    regionevents_free(&recorded->events);
}

void regions_table_fill_events(struct table *table, const struct view *view,
                               const struct pattern *pattern)
{
    if (!view_has_regions(view))
        return;
    struct recorded *recorded = buf_alloc(sizeof *recorded);
    *recorded = (struct recorded){.view = view};
    regionevents_fill(&recorded->events, view->profile);
    for (size_t i = 0; i < recorded->events.count; i++)
        if (is_selected(pattern,
                        row_of(regions_table_rows(view), recorded->events.calls[i].path)))
            table_add(table, &recorded->events.calls[i]);
    table->of = table->own = recorded;
    table->release = release_recorded;
}
