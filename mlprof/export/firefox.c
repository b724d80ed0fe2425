/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the processed profile format of the Firefox Profiler, version 66. Later
   versions of the Profiler convert older files when they load them:
   github.com/firefox-devtools/profiler, src/types/profile.ts and
   docs-developer/CHANGELOG-formats.md. Each measure becomes a thread in the Profiler.
   If samples are separated by thread, the measure time becomes several threads, one
   for each of the program's threads. Only time has stacks, or bytes if there is no
   time. Source files that can be read are included. */

#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/export/export.h"
#include "mlprof/export/firefox-inside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define VERSION 66

/* The version of the Gecko format. The Profiler requires a version, although no data
   in this file has that format. */
#define GECKO_VERSION 36

/* The resource type of libraries. */
#define LIBRARY 1

/* Thread numbers that the program cannot have, for measures and for calls of regions
   without samples. */
#define OF_MEASURES UINT32_MAX
#define OF_REGIONS  ((uint64_t)UINT32_MAX << 1)

/* The lane of a thread without calls of regions. */
#define NO_LANE SIZE_MAX

struct firefox {
    const struct view *view;
    struct json json;
    struct firefox_tables tables;
    struct regionevents events;
};

/* A column of a table: a field of its lines (FIELD), the same number in all lines
   (SAME), or false (NO). */
struct column {
    const char *name;
    enum { FIELD, SAME, NO } what;
    int64_t value; /* FIELD: offset of the field; SAME: the number */
};

#define COLUMN(name, line, field)                                                        \
    {                                                                                    \
        name, FIELD, offsetof(struct firefox_##line, field)                              \
    }

/* Prints COLUMNS, which end with a column without a name. */
static void print_columns(struct json *json, const struct firefox_table *table,
                          const struct column *columns)
{
    for (; columns->name; columns++) {
        json_open_list_field(json, columns->name);
        for (size_t i = 0; i < table->count; i++) {
            const char *line = (const char *)table->lines + i * table->size;
            int64_t value = columns->value;
            if (columns->what == FIELD)
                value = *(const int64_t *)(line + value);
            if (columns->what == NO)
                json_bool(json, false);
            else if (value == FIREFOX_NULL)
                json_null(json);
            else
                json_signed(json, value);
        }
        json_close_list(json);
    }
}

static void print_length(struct json *json, const struct firefox_table *table)
{
    json_unsigned_field(json, "length", table->count);
    json_close(json);
}

static void print_table(struct json *json, const char *name,
                        const struct firefox_table *table, const struct column *columns)
{
    json_open_field(json, name);
    print_columns(json, table, columns);
    print_length(json, table);
}

/* Converts a number of samples to milliseconds, the unit of all times. */
static double milliseconds(const struct firefox *firefox, uint64_t samples)
{
    return (double)profile_nanoseconds(firefox->view->profile, samples) / 1e6;
}

/* Prints the times of the samples. The samples of a bucket are spread over the
   bucket's time. */
static void print_times(struct firefox *firefox)
{
    const struct firefox_sample *samples = firefox->tables.samples.lines;
    const double width = (double)firefox->view->rows->stacks.times.width;
    size_t count = firefox->tables.samples.count;
    for (size_t i = 0, first = 0, end = 0; i < count; i++) {
        if (i == end) {
            for (first = i; end < count && samples[end].bucket == samples[i].bucket;)
                end++;
        }
        double part = ((double)(i - first) + 0.5) / (double)(end - first);
        json_number(&firefox->json, ((double)samples[i].bucket + part) * width / 1e6);
    }
}

/* Prints times if no times were recorded. If TIME, each sample starts when the
   previous sample ends, so that the axis is as long as the total time of the samples.
   Otherwise the number of a sample is used as its time. */
static void print_no_times(struct firefox *firefox, bool time)
{
    const struct firefox_sample *samples = firefox->tables.samples.lines;
    uint64_t before = 0;
    for (size_t i = 0; i < firefox->tables.samples.count; i++) {
        json_number(&firefox->json, time ? milliseconds(firefox, before) : (double)i);
        before += samples[i].count;
    }
}

static void print_samples(struct firefox *firefox, enum measure_unit unit)
{
    static const char *const types[] = {[MEASURE_NANOSECONDS] = "tracing-ms",
                                        [MEASURE_COUNT] = "samples",
                                        [MEASURE_BYTES] = "bytes"};
    static const struct column columns[] = {COLUMN("stack", sample, stack), {0}};
    struct json *json = &firefox->json;
    const struct firefox_sample *samples = firefox->tables.samples.lines;
    bool time = unit == MEASURE_NANOSECONDS;
    json_open_field(json, "samples");
    json_text_field(json, "weightType", types[unit]);
    print_columns(json, &firefox->tables.samples, columns);
    json_open_list_field(json, "weight");
    for (size_t i = 0; i < firefox->tables.samples.count; i++)
        json_number(json, time ? milliseconds(firefox, samples[i].count)
                               : (double)samples[i].count);
    json_close_list(json);
    json_open_list_field(json, "time");
    if (time && firefox->tables.first_time)
        print_times(firefox);
    else
        print_no_times(firefox, time);
    json_close_list(json);
    print_length(json, &firefox->tables.samples);
}

/* One of the Profiler's threads. */
struct thread {
    enum measure_unit unit;
    const char *name;
    uint64_t number;
    size_t lane; /* lane of its calls of regions, or NO_LANE */
    bool first;
};

/* Prints a thread with the present content of the table of samples. */
static void print_thread(struct firefox *firefox, const struct thread *thread)
{
    struct json *json = &firefox->json;
    json_open(json);
    json_text_field(json, "processType", "default");
    json_text_field(
        json, "processName",
        path_last(program_path(firefox->view->program, firefox->view->profile, 0)));
    json_unsigned_field(json, "processStartupTime", 0);
    json_null_field(json, "processShutdownTime");
    json_unsigned_field(json, "registerTime", 0);
    json_null_field(json, "unregisterTime");
    json_open_list_field(json, "pausedRanges");
    json_close_list(json);
    json_text_field(json, "name", thread->name);
    json_bool_field(json, "isMainThread", thread->first);
    json_text_field(json, "pid", "0");
    json_unsigned_field(json, "tid", thread->number);
    print_samples(firefox, thread->unit);
    bool any = thread->lane != NO_LANE;
    const struct regionevents_lane *lane =
        any ? &firefox->events.lanes.list[thread->lane] : NULL;
    firefox_markers_print(json, &firefox->tables,
                          any ? &firefox->events.calls[lane->first] : NULL,
                          any ? lane->count : 0);
    json_close(json);
}

/* Prints a whole value as one thread. */
static void print_value(struct firefox *firefox, const struct values_value *value)
{
    const struct profile *profile = firefox->view->profile;
    BUF_OWN char *name = values_name(value, profile);
    bool amounts = value->measure->memory && !value->blocks;
    uint64_t number = 1 + (uint64_t)value->measure->unit + amounts;
    const struct thread thread = {
        .unit = values_unit(value),
        .name = name,
        .number = number + (profile->names.threads.count ? OF_MEASURES : 0),
        .lane = NO_LANE,
        .first = value->measure == profile_measure(profile) && !value->blocks};
    firefox_tables_add(&firefox->tables, value);
    print_thread(firefox, &thread);
}

/* Returns the lane of the program's thread NUMBER and marks it in PRINTED. Returns
   NO_LANE if no unmarked lane has the number, or if samples have no times. */
static size_t take_lane(struct firefox *firefox, uint64_t number, bool *printed)
{
    for (size_t i = 0; firefox->tables.first_time && i < firefox->events.lanes.count; i++)
        if (firefox->events.lanes.list[i].number == number && number && !printed[i]) {
            printed[i] = true;
            return i;
        }
    return NO_LANE;
}

/* Prints the time of each thread of the program, and marks the printed lanes in
   PRINTED. */
static void print_threads(struct firefox *firefox, bool *printed)
{
    const struct stacks *stacks = &firefox->view->rows->stacks;
    struct thread thread = {
        .unit = MEASURE_NANOSECONDS, .name = "unknown thread", .lane = NO_LANE};
    for (uint32_t i = stacks->first; i != STACKS_NONE;
         i = stacks->nodes.list[i].sibling) {
        if (stacks_what(stacks, i) != STACKS_THREAD || stacks->nodes.list[i].weight == 0)
            continue;
        char *text = stacks_around_text(stacks, i), *name = text;
        struct thread known = {.unit = MEASURE_NANOSECONDS};
        known.number = strtoull(text, &name, 10);
        known.name = name > text ? name + 1 : text;
        known.first = known.number == 1;
        known.lane = take_lane(firefox, known.number, printed);
        firefox_tables_add_thread(&firefox->tables, i);
        print_thread(firefox, &known);
        free(text);
    }
    firefox_tables_add_thread(&firefox->tables, STACKS_NONE);
    if (firefox->tables.samples.count)
        print_thread(firefox, &thread);
}

/* Prints the remaining lanes as threads without samples. For these lanes, the times
   of calls are known, but no times of samples. */
static void print_lanes(struct firefox *firefox, const bool *printed)
{
    firefox->tables.samples.count = 0;
    for (size_t i = 0; i < firefox->events.lanes.count; i++) {
        if (printed[i])
            continue;
        const struct regionevents_lane *lane = &firefox->events.lanes.list[i];
        BUF_OWN char *name = buf_format("regions of %s", lane->name);
        print_thread(firefox, &(struct thread){.unit = MEASURE_NANOSECONDS,
                                               .name = name,
                                               .number = OF_REGIONS + lane->number,
                                               .lane = i});
    }
}

static void print_sources(struct firefox *firefox)
{
    static const struct column columns[] = {{"id", SAME, FIREFOX_NULL},
                                            COLUMN("filename", source, name),
                                            {"startLine", SAME, 1},
                                            {"startColumn", SAME, 1},
                                            {"sourceMapURL", SAME, FIREFOX_NULL},
                                            {0}};
    struct json *json = &firefox->json;
    const struct firefox_table *sources = &firefox->tables.sources;
    const struct firefox_source *lines = sources->lines;
    const struct view *view = firefox->view;
    struct source_files files;
    source_files_open(&files, view->program, view->sources);
    json_open_field(json, "sources");
    print_columns(json, sources, columns);
    json_open_list_field(json, "content");
    for (size_t i = 0; i < sources->count; i++) {
        const struct source_files_text *file = source_files_get(&files, lines[i].path);
        BUF_OWN char *text = file->text ? buf_copy_prefix(file->text, file->size) : NULL;
        json_text(json, text);
    }
    json_close_list(json);
    print_length(json, sources);
    source_files_free(&files);
}

static const struct column stack_columns[] = {
    COLUMN("frame", stack, frame), COLUMN("prefixOffset", stack, offset), {0}};
static const struct column frame_columns[] = {COLUMN("address", frame, address),
                                              COLUMN("inlineDepth", frame, depth),
                                              COLUMN("category", frame, category),
                                              {"subcategory", SAME, 0},
                                              COLUMN("func", frame, func),
                                              COLUMN("nativeSymbol", frame, symbol),
                                              {"innerWindowID", SAME, FIREFOX_NULL},
                                              COLUMN("line", frame, line),
                                              COLUMN("column", frame, column),
                                              {"originalLocation", SAME, FIREFOX_NULL},
                                              {0}};
static const struct column func_columns[] = {COLUMN("name", func, name),
                                             {"isJS", NO, 0},
                                             {"relevantForJS", NO, 0},
                                             COLUMN("resource", func, resource),
                                             COLUMN("source", func, source),
                                             COLUMN("lineNumber", func, line),
                                             COLUMN("columnNumber", func, column),
                                             {"originalLocation", SAME, FIREFOX_NULL},
                                             {0}};
static const struct column resource_columns[] = {COLUMN("lib", resource, lib),
                                                 COLUMN("name", resource, name),
                                                 {"host", SAME, FIREFOX_NULL},
                                                 {"type", SAME, LIBRARY},
                                                 {0}};
static const struct column symbol_columns[] = {COLUMN("libIndex", symbol, lib),
                                               COLUMN("address", symbol, address),
                                               COLUMN("name", symbol, name),
                                               COLUMN("functionSize", symbol, size),
                                               {0}};
static const struct column location_columns[] = {
    {"source", SAME, 0}, {"line", SAME, 0}, {"column", SAME, 0}, {0}};

static void print_shared(struct firefox *firefox)
{
    struct json *json = &firefox->json;
    const struct firefox_tables *tables = &firefox->tables;
    json_open_field(json, "shared");
    print_table(json, "stackTable", &tables->stacks, stack_columns);
    print_table(json, "frameTable", &tables->frames, frame_columns);
    print_table(json, "funcTable", &tables->funcs, func_columns);
    print_table(json, "resourceTable", &tables->resources, resource_columns);
    print_table(json, "nativeSymbols", &tables->symbols, symbol_columns);
    print_sources(firefox);
    print_table(json, "sourceLocationTable", &(struct firefox_table){0},
                location_columns);
    json_open_list_field(json, "stringArray");
    for (uint32_t i = 0; i < tables->strings.count; i++)
        json_text(json, intern_text(&tables->strings, i));
    json_close_list(json);
    json_close(json);
}

/* Returns the build ID as Breakpad writes it: the first 16 bytes as a GUID, whose
   first three numbers are little-endian, followed by an age. The caller frees it. */
static char *breakpad_id(const char *build_id)
{
    static const int order[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
    char text[34] = "000000000000000000000000000000000";
    for (size_t i = 0; build_id && strlen(build_id) >= 32 && i < 32; i++)
        text[i] = (char)toupper((unsigned char)build_id[2 * order[i / 2] + (int)(i % 2)]);
    return buf_copy(text);
}

static void print_libs(struct firefox *firefox)
{
    struct json *json = &firefox->json;
    const struct profile *profile = firefox->view->profile;
    json_open_list_field(json, "libs");
    for (uint32_t i = 0; i < profile->modules.count; i++) {
        const char *path = program_path(firefox->view->program, profile, i);
        const char *id = profile->modules.list[i].build_id;
        BUF_OWN char *breakpad = breakpad_id(id);
        json_open(json);
        json_null_field(json, "arch");
        json_text_field(json, "name", path_last(path));
        json_text_field(json, "path", path);
        json_text_field(json, "debugName", path_last(path));
        json_text_field(json, "debugPath", path);
        json_text_field(json, "breakpadId", breakpad);
        json_text_field(json, "codeId", id);
        json_close(json);
    }
    json_close_list(json);
}

/* Says how markers are shown. */
static const char marker_schema[] =
    "{\"name\": \"" FIREFOX_MARKER "\", \"tooltipLabel\": \"{marker.name}\", "
    "\"tableLabel\": \"{marker.data.path}\", \"chartLabel\": \"{marker.name}\", "
    "\"display\": [\"marker-chart\", \"marker-table\", \"timeline-overview\"], "
    "\"fields\": [{\"key\": \"path\", \"label\": \"Path\", \"format\": "
    "\"unique-string\"}, "
    "{\"key\": \"length\", \"label\": \"Without the cost of measuring\", "
    "\"format\": \"duration\"}]}";

/* In the order of enum firefox_category. */
static const char categories[] =
    "{\"name\": \"Other\", \"color\": \"grey\", \"subcategories\": [\"Other\"]}, "
    "{\"name\": \"Function\", \"color\": \"yellow\", \"subcategories\": [\"Other\"]}, "
    "{\"name\": \"Inlined function\", \"color\": \"orange\", "
    "\"subcategories\": [\"Other\"]}";

static void print_meta(struct firefox *firefox, const struct export_input *input)
{
    struct json *json = &firefox->json;
    json_open_field(json, "meta");
    /* The Profiler extends the axis by this. */
    json_number_field(json, "interval",
                      firefox->view->profile->sampling.rate ? milliseconds(firefox, 1)
                                                            : 1e-6);
    json_unsigned_field(json, "startTime", 0);
    json_unsigned_field(json, "processType", 0);
    json_text_field(json, "product", input->title ? input->title : input->program);
    if (profile_command(firefox->view->profile))
        json_text_field(json, "arguments", profile_command(firefox->view->profile));
    json_text_field(json, "importedFrom", input->maker);
    json_unsigned_field(json, "stackwalk", 1);
    json_unsigned_field(json, "version", GECKO_VERSION);
    json_unsigned_field(json, "preprocessedProfileVersion", VERSION);
    json_bool_field(json, "symbolicated", true);
    json_bool_field(json, "usesOnlyOneStackType", true);
    json_bool_field(json, "sourceCodeIsNotOnSearchfox", true);
    json_open_list_field(json, "markerSchema");
    if (firefox->events.count)
        fputs(marker_schema, json->out);
    json_close_list(json);
    json_open_list_field(json, "categories");
    fputs(categories, json->out);
    json_close_list(json);
    json_close(json);
}

static void firefox_write(FILE *out, const struct export_input *input)
{
    struct firefox firefox = {.view = input->view, .json.out = out};
    struct json *json = &firefox.json;
    const struct profile *profile = input->view->profile;
    firefox_tables_open(&firefox.tables, input->view);
    regionevents_fill(&firefox.events, input->view->profile);
    bool *printed = buf_alloc(firefox.events.lanes.count + 1);
    json_open(json);
    print_meta(&firefox, input);
    print_libs(&firefox);
    json_open_list_field(json, "pages");
    json_close_list(json);
    json_open_list_field(json, "threads");
    if (profile->names.threads.count)
        print_threads(&firefox, printed);
    for (struct values_value value = {0}; values_next(&value, profile);)
        if (value.measure->unit != MEASURE_NANOSECONDS || !profile->names.threads.count)
            print_value(&firefox, &value);
    print_lanes(&firefox, printed);
    json_close_list(json);
    print_shared(&firefox);
    json_close(json);
    fputc('\n', out);
    free(printed);
    regionevents_free(&firefox.events);
    firefox_tables_free(&firefox.tables);
}

const struct export_format firefox_format = {
    .name = "firefox",
    .help = "write the profile for the Firefox Profiler",
    .kind = OUTPUTS_FIREFOX,
    .needs = EXPORT_ADDRESSES | EXPORT_THREADS,
    .write = firefox_write,
};
