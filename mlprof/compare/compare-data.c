/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes changes, growth, regions or gates as JSON or CSV. The fields around the table
   are written here, and the table by columns/data-table.c. */

#include "mlprof/base/buf.h"
#include "mlprof/compare/compare-output.h"
#include "mlprof/compare/gate.h"
#include "mlprof/compare/growth.h"
#include "mlprof/columns/table.h"
#include "mlprof/view/heapwords.h"

#include <math.h>

#define VERSION 1

/* Prints the fields before the table in JSON. */
typedef void heading(struct json *json, const void *about);

static bool write_json(const char *path, const char *maker, const struct table *table,
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
    json_name(&json, table->view->name);
    table_print_json(&json, table);
    json_close(&json);
    putc('\n', out);
    buf_close(out);
    return export_save(path, text, size, fault);
}

static bool write_csv(const char *path, const struct table *table, struct fault *fault)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    table_print_csv(out, table);
    buf_close(out);
    return export_save(path, text, size, fault);
}

/* Writes the requested files and frees the table. */
static bool write_files(const struct export_files *files, const char *maker,
                        struct table *table, heading *print, const void *about,
                        struct fault *fault)
{
    const char *json = export_path(files, "json"), *csv = export_path(files, "csv");
    bool good = (!json || write_json(json, maker, table, print, about, fault)) &&
                (!csv || write_csv(csv, table, fault));
    table_free(table);
    return good;
}

struct compared {
    const struct changes_view *view;
    const struct changes *changes;
};

static void print_side(struct json *json, const char *name, const struct compared *about,
                       size_t side, double value)
{
    json_open_field(json, name);
    json_text_field(json, "program", about->view->programs[side]);
    json_unsigned_field(json, "runs", about->view->sides[side]->runs.count);
    json_number_field(json, "size",
                      about->view->sizes[side] > 0 ? about->view->sizes[side] : NAN);
    json_number_field(json, "total", value);
    json_close(json);
}

/* Prints which heap measure the bytes and blocks belong to. */
static void print_heap(struct json *json, struct runset_measure measure)
{
    if (measure_is_of_heap(measure.base))
        json_text_field(json, "heap", measure_kept_word(measure.base));
}

static void print_changes_heading(struct json *json, const void *data)
{
    const struct compared *about = data;
    const struct change *all = &about->changes->all;
    json_text_field(json, "measure", runset_measure_name(about->changes->measure));
    print_heap(json, about->changes->measure);
    json_text_field(json, "unit",
                    about->changes->of_share  ? "share"
                    : about->changes->seconds ? "seconds"
                                              : "count");
    print_side(json, "before", about, 0, all->before);
    print_side(json, "after", about, 1, all->after);
    json_number_field(json, "change_least", change_least(all));
    json_number_field(json, "change_most", change_most(all));
    json_bool_field(json, "certain", all->verdict.certain);
    double drift = changes_common_factor(about->changes);
    json_number_field(json, "drift", drift > 0 ? drift : NAN);
}

bool compare_data_changes(const struct export_files *files, const char *maker,
                          const struct changes_view *view, const struct changes *changes,
                          const struct formula *formula, struct fault *fault)
{
    const struct compared about = {view, changes};
    struct table table = changes_table_make(view, changes, formula);
    return write_files(files, maker, &table, print_changes_heading, &about, fault);
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

bool compare_data_regions(const struct export_files *files, const char *maker,
                          const struct regionchanges *changes, struct fault *fault)
{
    struct table table = regionchanges_table(changes);
    return write_files(files, maker, &table, print_regions_heading, changes, fault);
}

static void print_growth_heading(struct json *json, const void *data)
{
    const struct growth_input *input = data;
    json_text_field(json, "measure", runset_measure_name(input->measure));
    print_heap(json, input->measure);
    json_text_field(json, "unit",
                    input->measure.base->unit == MEASURE_NANOSECONDS ? "seconds"
                                                                     : "count");
}

bool compare_data_growth(const struct export_files *files, const char *maker,
                         const struct growth *growth, struct fault *fault)
{
    struct table table = growth_table_make(growth);
    return write_files(files, maker, &table, print_growth_heading, &growth->input, fault);
}

static void print_gate_heading(struct json *json, const void *data)
{
    const struct gate *gate = data;
    json_text_field(json, "budget", gate->path);
    json_number_field(json, "threshold_percent", gate->threshold);
    json_text_field(json, "compiler_before", gate->compilers[0]);
    json_text_field(json, "compiler_now", gate->compilers[1]);
    json_unsigned_field(json, "limits", gate->limits);
    json_unsigned_field(json, "limits_exceeded", gate->beyond);
}

bool compare_data_gate(const struct export_files *files, const char *maker,
                       const struct gate *gate, struct fault *fault)
{
    struct table table = gate_table_make(gate);
    return write_files(files, maker, &table, print_gate_heading, gate, fault);
}
