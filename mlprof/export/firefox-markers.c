/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/firefox-inside.h"

/* The type of the markers of regions, and the phase of markers that have a begin and an
   end.  */
#define MARKER   "Region"
#define INTERVAL 1

/* Prints what a marker has beside its name and its times.  */
static void print_payload(struct json *json, struct firefox_tables *tables,
                          const struct regionevents_call *call)
{
    const struct regionrows *regions = tables->view->regions;
    const struct regionrows *paths = &regions[REGIONROWS_PATHS];
    const char *path = paths->rows[paths->of_path[call->path]].name;
    json_open(json);
    json_text_field(json, "type", MARKER);
    json_unsigned_field(json, "path", intern_put(&tables->strings, path));
    json_number_field(
        json, "length",
        regionrows_length(&regions[REGIONROWS_NAMES], call->path, call->ticks) / 1e6);
    json_close(json);
}

static void print_name(struct json *json, struct firefox_tables *tables,
                       const struct regionevents_call *call)
{
    const struct regionrows *names = &tables->view->regions[REGIONROWS_NAMES];
    const char *name = names->rows[names->of_path[call->path]].name;
    json_unsigned(json, intern_put(&tables->strings, name));
}

static void print_start(struct json *json, struct firefox_tables *tables,
                        const struct regionevents_call *call)
{
    (void)tables;
    json_number(json, (double)call->start / 1e6);
}

static void print_end(struct json *json, struct firefox_tables *tables,
                      const struct regionevents_call *call)
{
    (void)tables;
    json_number(json, (double)call->end / 1e6);
}

static void print_phase(struct json *json, struct firefox_tables *tables,
                        const struct regionevents_call *call)
{
    (void)tables;
    (void)call;
    json_unsigned(json, INTERVAL);
}

static void print_category(struct json *json, struct firefox_tables *tables,
                           const struct regionevents_call *call)
{
    (void)tables;
    (void)call;
    json_unsigned(json, FIREFOX_OTHER);
}

void firefox_markers_print(struct json *json, struct firefox_tables *tables,
                           const struct regionevents_call *calls, size_t count)
{
    static const struct {
        const char *name;
        void (*print)(struct json *json, struct firefox_tables *tables,
                      const struct regionevents_call *call);
    } columns[] = {{"data", print_payload},    {"name", print_name},
                   {"startTime", print_start}, {"endTime", print_end},
                   {"phase", print_phase},     {"category", print_category}};
    json_open_field(json, "markers");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        json_open_list_field(json, columns[i].name);
        for (size_t k = 0; k < count; k++)
            columns[i].print(json, tables, &calls[k]);
        json_close_list(json);
    }
    json_unsigned_field(json, "length", count);
    json_close(json);
}

static void print_schema_field(struct json *json, const char *key, const char *label,
                               const char *format)
{
    json_open(json);
    json_text_field(json, "key", key);
    json_text_field(json, "label", label);
    json_text_field(json, "format", format);
    json_close(json);
}

void firefox_markers_print_schema(struct json *json)
{
    json_open(json);
    json_text_field(json, "name", MARKER);
    json_text_field(json, "tooltipLabel", "{marker.name}");
    json_text_field(json, "tableLabel", "{marker.data.path}");
    json_text_field(json, "chartLabel", "{marker.name}");
    json_open_list_field(json, "display");
    json_text(json, "marker-chart");
    json_text(json, "marker-table");
    json_text(json, "timeline-overview");
    json_close_list(json);
    json_open_list_field(json, "fields");
    print_schema_field(json, "path", "Path", "unique-string");
    print_schema_field(json, "length", "Without the cost of measuring", "duration");
    json_close_list(json);
    json_close(json);
}
