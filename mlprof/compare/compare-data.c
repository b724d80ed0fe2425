/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/compare-data.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/demangle.h"
#include "mlprof/export/datatable.h"

#include <math.h>
#include <stdlib.h>

#define VERSION 1

/* Names and order of the columns are a format: new ones come at the end.  */
#define FUNCTION "function", "symbol", "file", "line"

/* Name, symbol, file and line.  A baseline has no lines, and symbols for names.  */
static void put_function(struct datatable *table, const struct side_function *function,
                         bool is_baseline)
{
    char *name = is_baseline ? demangle(function->key) : NULL;
    datatable_text(table, name ? name : function->shown);
    datatable_text(table, function->key);
    datatable_text(table, function->file);
    datatable_integer_if(table, function->line && !is_baseline, function->line);
    free(name);
}

/* A number that may not be known.  */
static void put_number(struct datatable *table, bool known, double value)
{
    if (known && isfinite(value))
        datatable_number(table, value);
    else
        datatable_null(table);
}

static const char *measure_name(enum side_measure measure)
{
    static const char *const names[] = {[SIDE_TIME] = "time",
                                        [SIDE_STACK] = "stack",
                                        [SIDE_CALLS] = "calls",
                                        [SIDE_BYTES] = "bytes",
                                        [SIDE_BLOCKS] = "blocks"};
    return names[measure];
}

/* What stands before the table in JSON.  */
typedef void heading(struct json *json, const void *about);

static bool write_json(const char *path, const char *maker, const struct datatable *table,
                       heading *print, const void *about, struct fault *fault)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    struct json json = {.out = out};
    json_open(&json);
    json_text_field(&json, "format", "mlprof-compare");
    json_unsigned_field(&json, "version", VERSION);
    json_text_field(&json, "creator", maker);
    print(&json, about);
    json_name(&json, table->name);
    datatable_print_json(&json, table);
    json_close(&json);
    putc('\n', out);
    buf_close(out);
    return export_save(path, text, size, fault);
}

static bool write_csv(const char *path, const struct datatable *table,
                      struct fault *fault)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    datatable_print_csv(out, table);
    buf_close(out);
    return export_save(path, text, size, fault);
}

/* Writes the files that are wanted, and frees the table.  */
static bool write_files(const struct compare_data_files *files, struct datatable *table,
                        heading *print, const void *about, struct fault *fault)
{
    const char *json = export_path(files->files, "json"),
               *csv = export_path(files->files, "csv");
    bool good = (!json || write_json(json, files->maker, table, print, about, fault)) &&
                (!csv || write_csv(csv, table, fault));
    datatable_free(table);
    return good;
}

struct compared {
    const struct compareview *view;
    const struct changes *changes;
    const struct formula *formula;
};

static void print_side(struct json *json, const char *name, const struct compared *about,
                       size_t side, double value)
{
    json_open_field(json, name);
    json_text_field(json, "program", about->view->programs[side]);
    json_unsigned_field(json, "runs", about->view->sides[side]->run_count);
    json_number_field(json, "size",
                      about->view->sizes[side] > 0 ? about->view->sizes[side] : NAN);
    json_number_field(json, "total", value);
    json_close(json);
}

static void print_changes_heading(struct json *json, const void *data)
{
    const struct compared *about = data;
    const struct change *all = &about->changes->all;
    json_text_field(json, "measure", measure_name(about->changes->measure));
    json_text_field(json, "unit",
                    about->changes->of_share  ? "share"
                    : about->changes->sampled ? "seconds"
                                              : "count");
    print_side(json, "before", about, 0, all->before);
    print_side(json, "after", about, 1, all->after);
    json_number_field(json, "change_least",
                      all->exact ? all->after - all->before
                                 : all->verdict.interval.least);
    json_number_field(json, "change_most",
                      all->exact ? all->after - all->before : all->verdict.interval.most);
    json_bool_field(json, "certain", all->verdict.certain);
}

static void put_change(struct datatable *table, const struct compared *about,
                       const struct change *change)
{
    const struct compareview *view = about->view;
    double difference = change->after - change->before;
    struct formula_values values = {.a = change->before,
                                    .b = change->after,
                                    .size_a = view->sizes[0],
                                    .size_b = view->sizes[1]};
    put_function(table, match_function(view->match, view->sides, change->row), false);
    put_number(table, change->exists[0], change->before);
    put_number(table, change->exists[1], change->after);
    datatable_number(table, difference);
    put_number(table, true, change->exact ? difference : change->verdict.interval.least);
    put_number(table, true, change->exact ? difference : change->verdict.interval.most);
    datatable_bool(table, change->exact);
    put_number(table, !change->exact && change->verdict.tested, change->verdict.chance);
    datatable_bool(table, change->verdict.certain);
    put_number(table, about->formula,
               about->formula ? formula_value(about->formula, &values) : 0);
}

bool compare_data_changes(const struct compare_data_files *files,
                          const struct compareview *view, const struct changes *changes,
                          const struct formula *formula, struct fault *fault)
{
    static const char *const heads[] = {FUNCTION,       "before",      "after", "change",
                                        "change_least", "change_most", "exact", "chance",
                                        "certain",      "value",       NULL};
    const struct compared about = {view, changes, formula};
    struct datatable table = {.name = "changes", .heads = heads};
    for (size_t i = 0; i < changes->count; i++)
        put_change(&table, &about, &changes->changes[i]);
    return write_files(files, &table, print_changes_heading, &about, fault);
}

static void print_region_side(struct json *json, const char *name,
                              const struct regionchanges *changes, size_t side)
{
    json_open_field(json, name);
    json_text_field(json, "program", changes->programs[side]);
    json_unsigned_field(json, "runs", changes->runs[side]);
    json_close(json);
}

static void print_regions_heading(struct json *json, const void *data)
{
    const struct regionchanges *changes = data;
    json_text_field(json, "measure", "regions");
    json_text_field(json, "unit", "nanoseconds");
    json_number_field(json, "tick", changes->tick);
    print_region_side(json, "before", changes, 0);
    print_region_side(json, "after", changes, 1);
}

bool compare_data_regions(const struct compare_data_files *files,
                          const struct regionchanges *changes, struct fault *fault)
{
    static const char *const heads[] = {
        "region",      "before",    "after",      "change",       "change_least",
        "change_most", "chance",    "certain",    "calls_before", "calls_after",
        "p50_before",  "p50_after", "p99_before", "p99_after",    NULL};
    struct datatable table = {.name = "regions", .heads = heads};
    for (size_t i = 0; i < changes->count; i++) {
        const struct regionchange *change = &changes->changes[i];
        bool before = change->calls[0] > 0, after = change->calls[1] > 0;
        datatable_text(&table, change->name);
        put_number(&table, before, change->mean[0]);
        put_number(&table, after, change->mean[1]);
        put_number(&table, before && after, change->mean[1] - change->mean[0]);
        put_number(&table, change->verdict.tested, change->verdict.interval.least);
        put_number(&table, change->verdict.tested, change->verdict.interval.most);
        put_number(&table, change->verdict.tested, change->verdict.chance);
        datatable_bool(&table, change->verdict.certain);
        datatable_number(&table, change->calls[0]);
        datatable_number(&table, change->calls[1]);
        put_number(&table, before, change->p50[0]);
        put_number(&table, after, change->p50[1]);
        put_number(&table, before, change->p99[0]);
        put_number(&table, after, change->p99[1]);
    }
    return write_files(files, &table, print_regions_heading, changes, fault);
}

struct grown {
    struct datatable *table;
    const struct growth_input *input;
};

/* A row for each size.  */
static void put_grown(void *data, const struct growth_row *row)
{
    const struct grown *grown = data;
    for (size_t i = 0; i < grown->input->count; i++) {
        put_function(grown->table, row->function, false);
        datatable_number(grown->table, row->points[i].size);
        datatable_number(grown->table, row->points[i].value);
        put_number(grown->table, true, row->fit.exponent);
        put_number(grown->table, true, row->fit.error);
        put_number(grown->table, true, row->fit.last);
    }
}

static void print_growth_heading(struct json *json, const void *data)
{
    const struct growth_input *input = data;
    bool sampled = side_is_sampled(input->sides[0], input->measure);
    json_text_field(json, "measure", measure_name(input->measure));
    json_text_field(json, "unit", sampled ? "seconds" : "count");
}

bool compare_data_growth(const struct compare_data_files *files,
                         const struct growth_input *input, struct fault *fault)
{
    static const char *const heads[] = {
        FUNCTION, "size", "value", "exponent", "exponent_error", "exponent_last", NULL};
    struct datatable table = {.name = "growth", .heads = heads};
    struct grown grown = {&table, input};
    growth_each(input, put_grown, &grown);
    return write_files(files, &table, print_growth_heading, input, fault);
}

struct gated {
    const struct gate *gate;
    const char *baseline;
    double threshold;
};

static void print_gate_heading(struct json *json, const void *data)
{
    const struct gated *gated = data;
    json_text_field(json, "baseline", gated->baseline);
    json_number_field(json, "threshold_percent", gated->threshold);
    json_unsigned_field(json, "functions", gated->gate->functions);
    json_unsigned_field(json, "functions_beyond", gated->gate->beyond);
    json_unsigned_field(json, "lines", gated->gate->lines);
    json_unsigned_field(json, "outcomes", gated->gate->outcomes);
    json_unsigned_field(json, "sums", gated->gate->sums);
}

/* What is told of a function before its points: the place is theirs, if that is known. */
static void put_points(struct datatable *table, const struct gate *gate,
                       const struct gate_difference *difference)
{
    const struct side_function *function =
        match_function(&gate->match, gate->sides, difference->row);
    const struct points_list *points = gate_points(difference);
    const struct points_point *point =
        difference->nth == GATE_ALL ? NULL : &points->points[difference->nth];
    bool known = point && point->line;
    datatable_text(table, function->shown);
    datatable_text(table, function->key);
    datatable_text(table, known ? intern_text(&gate->sides[1]->points.files, point->file)
                                : function->file);
    datatable_integer_if(table, known, known ? point->line : 0);
}

bool compare_data_gate(const struct compare_data_files *files, const struct gate *gate,
                       const char *baseline, double threshold, struct fault *fault)
{
    static const char *const heads[] = {FUNCTION, "measure", "baseline",
                                        "now",    "outcome", NULL};
    struct datatable table = {.name = "differences", .heads = heads};
    const struct gated gated = {gate, baseline, threshold};
    for (size_t i = 0; i < gate->difference_count; i++) {
        const struct gate_difference *difference = &gate->differences[i];
        const struct points_list *points = gate_points(difference);
        if (points)
            put_points(&table, gate, difference);
        else
            put_function(&table,
                         match_function(&gate->match, gate->sides, difference->row),
                         gate->match.functions[difference->row * 2 + 1] == MATCH_NONE);
        datatable_text(&table, !points           ? measure_name(difference->measure)
                               : points->outcome ? "branches"
                                                 : "executions");
        datatable_integer(&table, difference->baseline);
        datatable_integer(&table, difference->now);
        datatable_text(&table, points ? points->outcome : NULL);
    }
    return write_files(files, &table, print_gate_heading, &gated, fault);
}
