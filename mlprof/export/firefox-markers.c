/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/firefox-inside.h"

/* The type of the markers of regions, and the phase of markers that have a begin and an
   end.  */
#define MARKER   "Region"
#define INTERVAL 1

enum column { DATA, NAME, START, END, PHASE, CATEGORY, COLUMNS };

static void print_value(struct json *json, struct firefox_tables *tables,
                        const struct regionevents_call *call, enum column column)
{
    const struct regionrows *regions = tables->view->regions;
    const struct regionrows *names = &regions[REGIONROWS_NAMES];
    const struct regionrows *paths = &regions[REGIONROWS_PATHS];
    if (column == NAME) {
        const char *name = names->rows[names->of_path[call->path]].name;
        json_unsigned(json, intern_put(&tables->strings, name));
    } else if (column == START || column == END) {
        json_number(json, (double)(column == START ? call->start : call->end) / 1e6);
    } else if (column != DATA) {
        json_unsigned(json, column == PHASE ? INTERVAL : FIREFOX_OTHER);
    } else {
        const char *path = paths->rows[paths->of_path[call->path]].name;
        json_open(json);
        json_text_field(json, "type", MARKER);
        json_unsigned_field(json, "path", intern_put(&tables->strings, path));
        json_number_field(json, "length",
                          regionrows_length(names, call->path, call->ticks) / 1e6);
        json_close(json);
    }
}

void firefox_markers_print(struct json *json, struct firefox_tables *tables,
                           const struct regionevents_call *calls, size_t count)
{
    static const char *const names[COLUMNS] = {"data",    "name",  "startTime",
                                               "endTime", "phase", "category"};
    json_open_field(json, "markers");
    for (unsigned i = 0; i < COLUMNS; i++) {
        json_open_list_field(json, names[i]);
        for (size_t k = 0; k < count; k++)
            print_value(json, tables, &calls[k], i);
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
