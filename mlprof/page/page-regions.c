/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the regions, for page.c: times and percentiles by name, copy and path, the
   buckets of the histogram, and recorded calls. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/page/page.h"
#include "mlprof/regions/regionevents.h"
#include "mlprof/view/views.h"

#include <string.h>

/* The minimum length of a truncated label: labels have at most 63 bytes and are cut
   after a whole character (ccprof(3)). */
#define CUT_OFF 60

static void print_percentile(struct json *json, const char *name,
                             const struct regiontimes_percentile *percentile)
{
    json_open_list_field(json, name);
    json_number(json, percentile->least);
    json_number(json, percentile->value);
    json_number(json, percentile->most);
    json_close_list(json);
}

/* For each bucket with calls, prints its start, its end and the number of calls. */
static void print_buckets(struct json *json, const struct regionrows *rows,
                          const struct regionrows_row *row)
{
    const struct regions_sums *sums = &row->sums;
    json_open_list_field(json, "buckets");
    for (size_t i = 0; i < CCPROF_BUCKETS; i++) {
        double least = (double)regions_bucket_least(i);
        double end = i + 1 < CCPROF_BUCKETS ? (double)regions_bucket_end(i) : 2 * least;
        if (!sums->buckets[i])
            continue;
        json_open_list(json);
        json_number(json, regiontimes_without(sums, &rows->cost, least));
        json_number(json, regiontimes_without(sums, &rows->cost, end));
        json_unsigned(json, sums->buckets[i]);
        json_close_list(json);
    }
    json_close_list(json);
}

/* Returns the label of the samples in the region. Returns NULL if they have no label,
   or if another region has the same label because long names are truncated. */
static const char *label_of(const struct profile *profile, uint32_t number)
{
    const struct regions *regions = &profile->regions;
    const char *name = intern_text(&regions->names, regions->regions.list[number].name);
    const char *label = NULL;
    for (size_t i = 0; i < profile->names.labels.count; i++) {
        size_t length = strlen(profile->names.labels.list[i]);
        if (strcmp(profile->names.labels.list[i], name) == 0)
            return profile->names.labels.list[i];
        if (length >= CUT_OFF &&
            strncmp(profile->names.labels.list[i], name, length) == 0)
            label = profile->names.labels.list[i];
    }
    for (size_t i = 0; label && i < regions->regions.count; i++) {
        const char *other = intern_text(&regions->names, regions->regions.list[i].name);
        if (strcmp(other, name) != 0 && strncmp(other, label, strlen(label)) == 0)
            return NULL;
    }
    return label;
}

void page_regions_print_row(struct json *json, const struct profile *profile,
                            const struct regionrows *rows,
                            const struct regionrows_row *row)
{
    const struct regions_sums *sums = &row->sums;
    const struct regiontimes *times = &row->times;
    BUF_OWN char *place = row->place ? text_plain(row->place) : NULL;
    json_open(json);
    json_text_field(json, "name", row->name);
    json_text_field(json, "place", place ? place : row->position);
    /* The scripts find the region's samples by this label. */
    json_text_field(json, "label", label_of(profile, row->region));
    json_unsigned_field(json, "calls", sums->count);
    json_number_field(json, "total", row->total);
    print_percentile(json, "p50", &times->p50);
    print_percentile(json, "p99", &times->p99);
    json_unsigned_field(json, "cold_calls", sums->cold);
    json_number_field(json, "cold", times->cold);
    json_number_field(json, "cold_min", times->cold_min);
    json_number_field(json, "cold_max", times->cold_max);
    json_number_field(json, "warm", times->warm);
    json_unsigned_field(json, "left", sums->left);
    json_unsigned_field(json, "open", sums->open);
    json_number_field(json, "spent", times->spent);
    print_buckets(json, rows, row);
    json_close(json);
}

/* Columns of calls in time order. PATH is a row of the paths. LENGTH does not
   include the measuring overhead. */
PAGE_VALUE(call_path, regionevents_call,
           report_regions(data->view->report, REGIONROWS_PATHS)->of_path[row->path])
PAGE_VALUE(call_length, regionevents_call,
           regionrows_length(report_regions(data->view->report, REGIONROWS_NAMES),
                             row->path, row->ticks) +
               0.5)

static const struct datacolumns_column call_columns[] = {
    DATACOLUMNS_MEMBER(regionevents_call, lane),
    {"path", .value = call_path},
    DATACOLUMNS_MEMBER(regionevents_call, row),
    DATACOLUMNS_MEMBER(regionevents_call, start),
    DATACOLUMNS_MEMBER(regionevents_call, end),
    {"length", .value = call_length},
    {0}};

/* Prints for each path the row of its innermost region in the table by name. */
static void print_regions_of_paths(struct json *json, const struct page_data *data)
{
    struct report *report = data->view->report;
    const struct regionrows *names = report_regions(report, REGIONROWS_NAMES);
    const struct regionrows *paths = report_regions(report, REGIONROWS_PATHS);
    const struct regions *regions = &data->view->profile->regions;
    BUF_OWN uint32_t *region = buf_alloc((paths->count + 1) * sizeof *region);
    for (size_t i = 0; i < regions->paths.count; i++)
        region[paths->of_path[i]] = names->of_path[i];
    json_open_list_field(json, "region_of");
    for (size_t i = 0; i < paths->count; i++)
        json_unsigned(json, region[i]);
    json_close_list(json);
}

static void print_events(struct page_data *data)
{
    struct json *json = &data->columns.json;
    struct regionevents events;
    if (!data->view->profile->regions.has_events)
        return;
    regionevents_fill(&events, data->view->profile);
    print_regions_of_paths(json, data);
    json_unsigned_field(json, "events_least", events.least);
    json_unsigned_field(json, "events_end", events.end);
    json_open_list_field(json, "lanes");
    for (size_t i = 0; i < events.lanes.count; i++)
        json_text(json, events.lanes.list[i]);
    json_close_list(json);
    datacolumns_print(&data->columns, "events", data, events.calls, events.count,
                      call_columns);
    regionevents_free(&events);
}

static void print_table(struct json *json, const struct view *view,
                        enum regionrows_by key)
{
    struct view keyed = *view;
    keyed.style.regions = key;
    struct table table = {.view = &regions_table, .of = &keyed};
    const struct regionrows *rows = regions_table_rows(&keyed);
    for (size_t i = 0; i < rows->count; i++)
        table_add(&table, &rows->rows[i]);
    table_print_page(json, &table);
    table_free(&table);
}

void page_regions_print(struct page_data *data)
{
    static const char *const names[] = {[REGIONROWS_NAMES] = "names",
                                        [REGIONROWS_COPIES] = "copies",
                                        [REGIONROWS_PATHS] = "paths"};
    struct json *json = &data->columns.json;
    const struct regionrows *all = report_regions(data->view->report, REGIONROWS_NAMES);
    if (!all)
        return;
    json_open_field(json, "regions");
    json_number_field(json, "tick", all->measured.tick);
    json_number_field(json, "inner", all->measured.inner);
    json_number_field(json, "outer", all->measured.outer);
    json_bool_field(json, "subtracted", all->subtracted);
    json_number_field(json, "measuring", all->measuring);
    json_unsigned_field(json, "cpu", data->view->profile->runs.cpu);
    for (enum regionrows_by key = 0; key < REGIONROWS_KEYS; key++) {
        const struct regionrows *rows = report_regions(data->view->report, key);
        json_open_list_field(json, names[key]);
        for (size_t i = 0; i < rows->count; i++)
            page_regions_print_row(json, data->view->profile, rows, &rows->rows[i]);
        json_close_list(json);
    }
    json_open_field(json, "tables");
    for (enum regionrows_by key = 0; key < REGIONROWS_KEYS; key++) {
        json_name(json, names[key]);
        print_table(json, data->view, key);
    }
    json_close(json);
    print_events(data);
    json_close(json);
}
