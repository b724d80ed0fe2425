/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes tables as data for programs: all tables as JSON, or the requested table as
   CSV (mlprof(1), "FORMATS"; doc/mlprof.schema.json). */

#include "mlprof/export/export.h"
#include "mlprof/view/balance.h"

#include <math.h>
#include <stdlib.h>

/* The version of the format. Adding fields does not change it. */
#define VERSION 1

/* Prints the names of the bits of SET as a list. */
static void print_set(struct json *json, const char *name, unsigned set,
                      const unsigned *bits, const char *const *names, size_t count)
{
    json_open_list_field(json, name);
    for (size_t i = 0; i < count; i++)
        if (set & bits[i])
            json_text(json, names[i]);
    json_close_list(json);
}

/* Prints the measured kinds. If the heap is shown, prints only the heap. */
static void print_kinds(struct json *json, unsigned kind, bool heap)
{
    static const unsigned bits[] = {CCPROF_KIND_TIME, CCPROF_KIND_COUNT,
                                    CCPROF_KIND_ALLOC, CCPROF_KIND_REGION,
                                    CCPROF_KIND_INSTRUCTIONS};
    static const char *const names[] = {"time", "count", "alloc", "region",
                                        "instructions"};
    static const unsigned shown[] = {CCPROF_KIND_ALLOC};
    static const char *const heap_name[] = {"heap"};
    if (heap)
        print_set(json, "kinds", kind, shown, heap_name, 1);
    else
        print_set(json, "kinds", kind, bits, names, sizeof bits / sizeof *bits);
}

static void print_engines(struct json *json, unsigned engines)
{
    static const unsigned bits[] = {PROFILE_TASK_CLOCK, PROFILE_THREAD_TIMER,
                                    PROFILE_WALL_TIMER};
    static const char *const names[] = {"task-clock", "thread-timer", "wall-timer"};
    print_set(json, "engines", engines, bits, names, sizeof bits / sizeof *bits);
}

/* Prints what exact counts of instructions do not include. */
static void print_left_out(struct json *json, const struct instructions_rest *rest)
{
    if (!rest || !rest->measured)
        return;
    json_open_field(json, "left_out");
    json_unsigned_field(json, "counters", rest->counters);
    json_unsigned_field(json, "calls", rest->calls);
    json_unsigned_field(json, "system_calls", rest->system);
    json_unsigned_field(json, "repeated", rest->repeats);
    json_unsigned_field(json, "loops", rest->loops);
    json_unsigned_field(json, "skippable", rest->skips);
    json_unsigned_field(json, "padding", rest->padding);
    json_unsigned_field(json, "unknown", rest->unknown);
    json_unsigned_field(json, "inexact", rest->inexact);
    json_unsigned_field(json, "tail_calls", rest->tails);
    json_close(json);
}

/* Prints the facts about the run that the text reports print as lines below the table
   (balance.c). */
static void print_run(struct json *json, const struct view *view)
{
    const struct profile *profile = view->profile;
    const struct regionrows *regions = report_regions(view->report, REGIONROWS_NAMES);
    json_open_field(json, "run");
    const struct measure *measure = profile_measure(profile);
    const bool counts_samples = profile_counts_samples(profile);
    print_kinds(json, profile->kind, !measure->kinds);
    json_text_field(json, "measure", measure_kept_word(measure));
    print_engines(json, profile->kind & CCPROF_KIND_TIME ? profile->sampling.engines : 0);
    json_open_list_field(json, "commands");
    for (uint32_t i = 0; i < profile->runs.commands.count; i++)
        json_text(json, intern_text(&profile->runs.commands, i));
    json_close_list(json);
    json_text_field(json, "clock",
                    profile->sampling.clock == PROFILE_WALL ? "wall" : "cpu");
    json_unsigned_field(json, "rate_hz", counts_samples ? profile->sampling.rate : 0);
    json_bool_field(json, "stacks", profile->sampling.stack);
    json_unsigned_field(json, "cpu_ns", profile->runs.cpu);
    json_unsigned_field(json, "wall_ns", profile->runs.wall);
    json_unsigned_field(json, "data_files", profile->runs.files);
    json_unsigned_field(json, "builds", profile_builds(profile));
    json_unsigned_field(json, "ranks", origins_ranks(&profile->origins));
    json_unsigned_field(json, "hosts", profile->origins.hosts.count);
    json_unsigned_field(json, "threads", profile->runs.threads);
    json_unsigned_field(json, "threads_not_counted", profile->runs.uncounted);
    json_unsigned_field(json, "waits", profile->runs.waits);
    json_unsigned_field(json, "calls_interrupted", profile->sampling.interrupted);
    char *refused = balance_refused(profile);
    json_text_field(json, "calls_refused", refused);
    free(refused);
    json_unsigned_field(json, "samples",
                        measure->weigh || !counts_samples ? 0
                                                          : profile->sampling.samples);
    json_unsigned_field(json, "samples_lost", profile->sampling.lost);
    json_unsigned_field(json, "samples_of_ccprof", profile->sampling.ccprof_samples);
    json_unsigned_field(json, "samples_without_callers",
                        uncovered_broken_samples(view->rows));
    json_signed_field(json, "samples_in_other_files", profile->sampling.moved);
    json_unsigned_field(json, "total", view->rows->total);
    print_left_out(json, &view->report->instructions);
    json_number_field(json, "region_tick_ns", regions ? regions->measured.tick : NAN);
    json_number_field(json, "region_measuring_ns", regions ? regions->measuring : NAN);
    json_close(json);
}

/* Returns the table with its rows. The caller frees it with table_free. */
static struct table filled(const struct views_data *data, const struct view *view,
                           const struct pattern *requested)
{
    struct table table = {.view = data->table, .of = view};
    data->fill(&table, view, requested);
    return table;
}

static void data_write_json(FILE *out, const struct export_input *input)
{
    struct json json = {.out = out};
    if (!report_trained(input->view->report, input->fault))
        return;
    json_open(&json);
    json_text_field(&json, "format", "mlprof");
    json_unsigned_field(&json, "version", VERSION);
    json_text_field(&json, "creator", input->maker);
    json_text_field(&json, "program", input->program);
    print_run(&json, input->view);
    const struct table_view *last = NULL;
    for (size_t i = 0; i < VIEWS_DATA_MOST * views_count; i++) {
        const struct views_data *data =
            &views_all[i / VIEWS_DATA_MOST]->data[i % VIEWS_DATA_MOST];
        /* Callers and callees are one table, with all pairs. */
        if (!data->fill || data->table == last)
            continue;
        last = data->table;
        fputs(",\n", out);
        json.any = false;
        json_name(&json, data->table->name);
        struct table table = filled(data, input->view, NULL);
        table_print_json(&json, &table);
        table_free(&table);
    }
    json_close(&json);
    putc('\n', out);
}

static void data_write_csv(FILE *out, const struct export_input *input)
{
    struct table table = filled(input->table, input->view, input->requested);
    table_print_csv(out, &table);
    table_free(&table);
}

const struct export_format data_json_format = {
    .name = "json",
    .help = "write all tables as JSON",
    .kind = OUTPUTS_JSON,
    .affects = OUTPUTS_COMPARISONS | OUTPUTS_GATE,
    .needs = EXPORT_EVENTS,
    .write = data_write_json,
};

const struct export_format data_csv_format = {
    .name = "csv",
    .help = "write the table as comma-separated values",
    .kind = OUTPUTS_CSV,
    .affects = OUTPUTS_COMPARISONS | OUTPUTS_GATE,
    .needs = EXPORT_EVENTS,
    .write = data_write_csv,
};
