/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/firefox.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/json.h"
#include "mlprof/elf/segments.h"
#include "mlprof/export/functions.h"
#include "mlprof/export/measures.h"
#include "mlprof/view/source-files.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define VERSION 66

/* Version of the Gecko format, of which nothing is here.  */
#define GECKO_VERSION 36

/* Type of a resource.  */
#define LIBRARY 1

/* Null.  */
#define NOTHING INT64_MIN

enum category { OTHER, FUNCTION, INLINED };

/* A table of the format, which has columns of numbers; a line here is a struct of
   these.  */
struct table {
    void *lines;
    size_t count, capacity, size; /* SIZE: of a line in bytes */
};

struct frame {
    int64_t address, depth, category, func, symbol, line, column;
};
struct func {
    int64_t name, resource, source, line, column;
};
struct resource {
    int64_t lib, name;
};
struct symbol {
    int64_t lib, address, name, size;
};
struct stack {
    int64_t frame, offset; /* how far before it the stack around is; 0: there is none */
};
struct source {
    int64_t name;
    const struct identity_source *source; /* one that is in it */
};
struct sample {
    int64_t stack;
    uint64_t count;
};

struct firefox {
    const struct view *view;
    struct json json;
    struct functions functions;
    struct intern strings;
    struct table frames, funcs, resources, symbols, stacks, sources, samples;
    struct index frame_index, place_index, symbol_index, stack_index, source_index;
    struct segments_code *codes; /* by module */
    int64_t *resource_of;        /* by module; -1: not there yet */
    uint32_t *stack_of;          /* by node of the stacks; of those with a weight */
};

static void *add_line(struct table *table)
{
    table->lines =
        buf_grow(table->lines, &table->capacity, table->count + 1, table->size);
    return (char *)table->lines + table->size * table->count++;
}

static int64_t string(struct firefox *firefox, const char *text)
{
    return intern_put(&firefox->strings, text);
}

static const char *path_of(const struct firefox *firefox, uint32_t module)
{
    const struct program *program = firefox->view->program;
    const struct tables *tables =
        module < program->count ? program->tables[module] : NULL;
    return tables ? tables_path(tables) : firefox->view->profile->modules[module].path;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int64_t resource_of(struct firefox *firefox, uint32_t module)
{
    if (module == STACKS_NONE)
        return -1;
    if (firefox->resource_of[module] >= 0)
        return firefox->resource_of[module];
    const char *path = path_of(firefox, module);
    if (!segments_find_code(path, &firefox->codes[module]))
        firefox->codes[module] = (struct segments_code){0};
    *(struct resource *)add_line(&firefox->resources) =
        (struct resource){.lib = module, .name = string(firefox, last_part(path))};
    return firefox->resource_of[module] = (int64_t)firefox->resources.count - 1;
}

static int64_t source_of(struct firefox *firefox, const char *file,
                         const struct identity_source *source)
{
    bool fresh;
    if (!*file)
        return NOTHING;
    uint32_t number =
        index_put(&firefox->source_index, (uint64_t)string(firefox, file), 0, 0, &fresh);
    if (fresh)
        *(struct source *)add_line(&firefox->sources) =
            (struct source){.name = string(firefox, file), .source = source};
    return number;
}

/* Numbers of functions are those of functions.h, as long as each is put here when it is
   new there.  */
static int64_t func(struct firefox *firefox, uint32_t number, uint32_t module)
{
    if (number < firefox->funcs.count)
        return number;
    const struct functions_function *function = &firefox->functions.list[number];
    const struct rows_row *row = &firefox->view->rows->rows[function->row];
    *(struct func *)add_line(&firefox->funcs) = (struct func){
        .name = string(firefox, function->name),
        .resource = resource_of(firefox, module),
        .source = source_of(firefox, function->file, &row->source),
        .line = function->line ? function->line : NOTHING,
        .column = function->line && function->column ? function->column : NOTHING};
    return number;
}

/* ADDRESS, relative to the library as it is loaded; -1: not known, or none of code.  */
static int64_t relative(const struct firefox *firefox, uint32_t module, uint64_t address)
{
    const struct segments_code *code = &firefox->codes[module];
    bool inside = address >= code->start && address < code->end;
    return inside ? (int64_t)(address - code->image) : -1;
}

/* The compiled function of a copy.  */
static int64_t symbol(struct firefox *firefox, const struct stacks_copy *copy)
{
    bool fresh;
    uint32_t number =
        index_put(&firefox->symbol_index, copy->module, copy->function, 0, &fresh);
    if (!fresh)
        return number;
    struct tables *tables = firefox->view->program->tables[copy->module];
    const struct function *function = tables_function(tables, copy->function);
    const struct unit_source *source =
        unit_source(function->unit, function->copies[0].source);
    const char *name = !source ? "?" : *source->symbol ? source->symbol : source->name;
    uint64_t start, end;
    tables_function_range(tables, copy->function, &start, &end);
    *(struct symbol *)add_line(&firefox->symbols) =
        (struct symbol){.lib = copy->module,
                        .address = relative(firefox, copy->module, start),
                        .name = string(firefox, name),
                        .size = (int64_t)(end - start)};
    return number;
}

/* How many frames of its address are around a node.  */
static int64_t depth_of(const struct stacks *stacks, uint32_t node)
{
    int64_t depth = 0;
    while (stacks->nodes[node].inlined) {
        uint32_t parent = stacks->nodes[node].parent;
        if (parent == STACKS_NONE ||
            stacks->nodes[parent].address != stacks->nodes[node].address)
            break;
        node = parent;
        depth++;
    }
    return depth;
}

static int64_t frame(struct firefox *firefox, uint32_t number)
{
    const struct stacks *stacks = &firefox->view->rows->stacks;
    const struct stacks_node *node = &stacks->nodes[number];
    const struct stacks_copy *copy = &stacks->copies[node->copy];
    const struct stacks_position *position = &stacks->positions[node->position];
    uint32_t module = copy->module == STACKS_NONE ? copy->home : copy->module;
    int64_t function =
        func(firefox, functions_of_node(&firefox->functions, number), module);
    int64_t depth = depth_of(stacks, number);
    bool fresh;
    resource_of(firefox, module);
    uint32_t place = index_put(&firefox->place_index, (uint64_t)function,
                               (uint64_t)position->line << 32 | position->column,
                               (uint64_t)depth, &fresh);
    uint32_t result =
        index_put(&firefox->frame_index, place, module, node->address, &fresh);
    if (!fresh)
        return result;
    int64_t address =
        module == STACKS_NONE ? -1 : relative(firefox, module, node->address);
    bool known = address >= 0 && copy->module != STACKS_NONE;
    *(struct frame *)add_line(&firefox->frames) = (struct frame){
        .address = address,
        .depth = depth,
        .category = copy->module == STACKS_NONE ? OTHER
                    : depth                     ? INLINED
                                                : FUNCTION,
        .func = function,
        .symbol = known ? symbol(firefox, copy) : NOTHING,
        .line = position->line ? position->line : NOTHING,
        .column = position->line && position->column ? position->column : NOTHING};
    return result;
}

static uint32_t put_stack(struct firefox *firefox, int64_t around, int64_t frame)
{
    bool fresh;
    uint32_t number =
        index_put(&firefox->stack_index, (uint64_t)around, (uint64_t)frame, 0, &fresh);
    if (fresh)
        *(struct stack *)add_line(&firefox->stacks) = (struct stack){
            .frame = frame, .offset = around == NOTHING ? 0 : number - around};
    return number;
}

static void add_sample(struct firefox *firefox, uint32_t stack, uint64_t count)
{
    *(struct sample *)add_line(&firefox->samples) =
        (struct sample){.stack = stack, .count = count};
}

static void add_stacks(struct firefox *firefox)
{
    const struct stacks *stacks = &firefox->view->rows->stacks;
    for (uint32_t i = 0; i < stacks->node_count; i++) {
        const struct stacks_node *node = &stacks->nodes[i];
        if (node->weight == 0)
            continue;
        int64_t around =
            node->parent == STACKS_NONE ? NOTHING : firefox->stack_of[node->parent];
        firefox->stack_of[i] = put_stack(firefox, around, frame(firefox, i));
        if (node->count)
            add_sample(firefox, firefox->stack_of[i], node->count);
    }
}

static uint64_t amount_of(const struct rows_row *row, enum measures measure)
{
    if (measure == MEASURES_CALLS)
        return row->calls;
    return measure == MEASURES_BLOCKS ? row->blocks : row->bytes;
}

/* Functions that stand alone.  */
static void add_functions(struct firefox *firefox, enum measures measure)
{
    const struct rows *rows = firefox->view->rows;
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct rows_row *row = &rows->rows[i];
        uint64_t amount = row->branch ? 0 : amount_of(row, measure);
        if (amount == 0)
            continue;
        bool fresh;
        int64_t function =
            func(firefox, functions_of_row(&firefox->functions, i), STACKS_NONE);
        uint32_t place =
            index_put(&firefox->place_index, (uint64_t)function, UINT64_MAX, 0, &fresh);
        uint32_t number = index_put(&firefox->frame_index, place, STACKS_NONE, 0, &fresh);
        if (fresh)
            *(struct frame *)add_line(&firefox->frames) =
                (struct frame){.address = -1,
                               .category = row->source.file ? FUNCTION : OTHER,
                               .func = function,
                               .symbol = NOTHING,
                               .line = row->source.line ? row->source.line : NOTHING,
                               .column = NOTHING};
        add_sample(firefox, put_stack(firefox, NOTHING, number), amount);
    }
}

static void print_column(struct json *json, const char *name, const struct table *table,
                         size_t offset)
{
    json_open_list_field(json, name);
    for (size_t i = 0; i < table->count; i++) {
        const char *line = (const char *)table->lines + i * table->size;
        int64_t value = *(const int64_t *)(line + offset);
        if (value == NOTHING)
            json_null(json);
        else
            json_signed(json, value);
    }
    json_close_list(json);
}

/* A column with the same everywhere.  */
static void print_same(struct json *json, const char *name, const struct table *table,
                       int64_t value)
{
    json_open_list_field(json, name);
    for (size_t i = 0; i < table->count; i++)
        value == NOTHING ? json_null(json) : json_signed(json, value);
    json_close_list(json);
}

static void print_false(struct json *json, const char *name, const struct table *table)
{
    json_open_list_field(json, name);
    for (size_t i = 0; i < table->count; i++)
        json_bool(json, false);
    json_close_list(json);
}

static void print_length(struct json *json, const struct table *table)
{
    json_unsigned_field(json, "length", table->count);
    json_close(json);
}

/* In milliseconds, the unit of times.  */
static double milliseconds(const struct firefox *firefox, uint64_t samples)
{
    return (double)measures_nanoseconds(firefox->view->profile, samples) / 1e6;
}

/* Time goes on by what a stack took, so that the axis is as long as the whole.  */
static void print_samples(struct firefox *firefox, enum measures measure)
{
    static const char *const types[] = {[MEASURES_TIME] = "tracing-ms",
                                        [MEASURES_CALLS] = "samples",
                                        [MEASURES_BLOCKS] = "samples",
                                        [MEASURES_BYTES] = "bytes"};
    struct json *json = &firefox->json;
    const struct sample *samples = firefox->samples.lines;
    bool time = measure == MEASURES_TIME;
    uint64_t before = 0;
    json_open_field(json, "samples");
    json_text_field(json, "weightType", types[measure]);
    print_column(json, "stack", &firefox->samples, offsetof(struct sample, stack));
    json_open_list_field(json, "weight");
    for (size_t i = 0; i < firefox->samples.count; i++)
        json_number(json, time ? milliseconds(firefox, samples[i].count)
                               : (double)samples[i].count);
    json_close_list(json);
    json_open_list_field(json, "time");
    for (size_t i = 0; i < firefox->samples.count; i++) {
        json_number(json, time ? milliseconds(firefox, before) : (double)i);
        before += samples[i].count;
    }
    json_close_list(json);
    print_length(json, &firefox->samples);
}

static void print_no_markers(struct json *json)
{
    static const char *const columns[] = {"data",    "name",  "startTime",
                                          "endTime", "phase", "category"};
    json_open_field(json, "markers");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        json_open_list_field(json, columns[i]);
        json_close_list(json);
    }
    json_unsigned_field(json, "length", 0);
    json_close(json);
}

static void print_thread(struct firefox *firefox, enum measures measure)
{
    bool wall = firefox->view->profile->clock == PROFILE_WALL;
    const char *const names[] = {[MEASURES_TIME] = wall ? "wall time" : "CPU time",
                                 [MEASURES_CALLS] = "calls",
                                 [MEASURES_BLOCKS] = "blocks allocated",
                                 [MEASURES_BYTES] = "bytes allocated"};
    struct json *json = &firefox->json;
    enum measures main = measures_main(firefox->view->profile);
    firefox->samples.count = 0;
    if (measure == main && measure != MEASURES_CALLS)
        add_stacks(firefox);
    else
        add_functions(firefox, measure);
    json_open(json);
    json_text_field(json, "processType", "default");
    json_text_field(json, "processName", last_part(path_of(firefox, 0)));
    json_unsigned_field(json, "processStartupTime", 0);
    json_null_field(json, "processShutdownTime");
    json_unsigned_field(json, "registerTime", 0);
    json_null_field(json, "unregisterTime");
    json_open_list_field(json, "pausedRanges");
    json_close_list(json);
    json_text_field(json, "name", names[measure]);
    json_bool_field(json, "isMainThread", measure == main);
    json_text_field(json, "pid", "0");
    json_unsigned_field(json, "tid", measure);
    print_samples(firefox, measure);
    print_no_markers(json);
    json_close(json);
}

static void print_sources(struct firefox *firefox)
{
    struct json *json = &firefox->json;
    const struct table *sources = &firefox->sources;
    const struct source *lines = sources->lines;
    const struct view *view = firefox->view;
    struct source_files files;
    source_files_open(&files, view->program, view->sources);
    json_open_field(json, "sources");
    print_same(json, "id", sources, NOTHING);
    print_column(json, "filename", sources, offsetof(struct source, name));
    print_same(json, "startLine", sources, 1);
    print_same(json, "startColumn", sources, 1);
    print_same(json, "sourceMapURL", sources, NOTHING);
    json_open_list_field(json, "content");
    for (size_t i = 0; i < sources->count; i++) {
        const char *path = intern_text(&firefox->strings, (uint32_t)lines[i].name);
        struct identity_source source = *lines[i].source;
        source.file = path;
        const struct source_files_text *file = source_files_get(&files, &source);
        char *text = file->text ? buf_copy_prefix(file->text, file->size) : NULL;
        json_text(json, text);
        free(text);
    }
    json_close_list(json);
    print_length(json, sources);
    source_files_free(&files);
}

static void print_shared(struct firefox *firefox)
{
    struct json *json = &firefox->json;
    json_open_field(json, "shared");
    json_open_field(json, "stackTable");
    print_column(json, "frame", &firefox->stacks, offsetof(struct stack, frame));
    print_column(json, "prefixOffset", &firefox->stacks, offsetof(struct stack, offset));
    print_length(json, &firefox->stacks);

    const struct table *table = &firefox->frames;
    json_open_field(json, "frameTable");
    print_column(json, "address", table, offsetof(struct frame, address));
    print_column(json, "inlineDepth", table, offsetof(struct frame, depth));
    print_column(json, "category", table, offsetof(struct frame, category));
    print_same(json, "subcategory", table, 0);
    print_column(json, "func", table, offsetof(struct frame, func));
    print_column(json, "nativeSymbol", table, offsetof(struct frame, symbol));
    print_same(json, "innerWindowID", table, NOTHING);
    print_column(json, "line", table, offsetof(struct frame, line));
    print_column(json, "column", table, offsetof(struct frame, column));
    print_same(json, "originalLocation", table, NOTHING);
    print_length(json, table);

    table = &firefox->funcs;
    json_open_field(json, "funcTable");
    print_column(json, "name", table, offsetof(struct func, name));
    print_false(json, "isJS", table);
    print_false(json, "relevantForJS", table);
    print_column(json, "resource", table, offsetof(struct func, resource));
    print_column(json, "source", table, offsetof(struct func, source));
    print_column(json, "lineNumber", table, offsetof(struct func, line));
    print_column(json, "columnNumber", table, offsetof(struct func, column));
    print_same(json, "originalLocation", table, NOTHING);
    print_length(json, table);

    table = &firefox->resources;
    json_open_field(json, "resourceTable");
    print_column(json, "lib", table, offsetof(struct resource, lib));
    print_column(json, "name", table, offsetof(struct resource, name));
    print_same(json, "host", table, NOTHING);
    print_same(json, "type", table, LIBRARY);
    print_length(json, table);

    table = &firefox->symbols;
    json_open_field(json, "nativeSymbols");
    print_column(json, "libIndex", table, offsetof(struct symbol, lib));
    print_column(json, "address", table, offsetof(struct symbol, address));
    print_column(json, "name", table, offsetof(struct symbol, name));
    print_column(json, "functionSize", table, offsetof(struct symbol, size));
    print_length(json, table);

    print_sources(firefox);
    const struct table none = {0};
    json_open_field(json, "sourceLocationTable");
    print_same(json, "source", &none, 0);
    print_same(json, "line", &none, 0);
    print_same(json, "column", &none, 0);
    print_length(json, &none);
    json_open_list_field(json, "stringArray");
    for (uint32_t i = 0; i < firefox->strings.count; i++)
        json_text(json, intern_text(&firefox->strings, i));
    json_close_list(json);
    json_close(json);
}

/* The build-id as Breakpad writes it: its first 16 bytes as a GUID, of which three
   numbers are little-endian, and an age.  To be freed.  */
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
    for (uint32_t i = 0; i < profile->module_count; i++) {
        const char *path = path_of(firefox, i), *id = profile->modules[i].build_id;
        char *breakpad = breakpad_id(id);
        json_open(json);
        json_null_field(json, "arch");
        json_text_field(json, "name", last_part(path));
        json_text_field(json, "path", path);
        json_text_field(json, "debugName", last_part(path));
        json_text_field(json, "debugPath", path);
        json_text_field(json, "breakpadId", breakpad);
        json_text_field(json, "codeId", id);
        json_close(json);
        free(breakpad);
    }
    json_close_list(json);
}

static void print_category(struct json *json, const char *name, const char *colour)
{
    json_open(json);
    json_text_field(json, "name", name);
    json_text_field(json, "color", colour);
    json_open_list_field(json, "subcategories");
    json_text(json, "Other");
    json_close_list(json);
    json_close(json);
}

static void print_meta(struct firefox *firefox, const struct export_input *input)
{
    struct json *json = &firefox->json;
    json_open_field(json, "meta");
    json_number_field(json, "interval", milliseconds(firefox, 1));
    json_unsigned_field(json, "startTime", 0);
    json_unsigned_field(json, "processType", 0);
    json_text_field(json, "product", input->title ? input->title : input->program);
    json_text_field(json, "importedFrom", input->maker);
    json_unsigned_field(json, "stackwalk", 1);
    json_unsigned_field(json, "version", GECKO_VERSION);
    json_unsigned_field(json, "preprocessedProfileVersion", VERSION);
    json_bool_field(json, "symbolicated", true);
    json_bool_field(json, "usesOnlyOneStackType", true);
    json_bool_field(json, "sourceCodeIsNotOnSearchfox", true);
    json_open_list_field(json, "markerSchema");
    json_close_list(json);
    json_open_list_field(json, "categories");
    print_category(json, "Other", "grey");
    print_category(json, "Function", "yellow");
    print_category(json, "Inlined function", "orange");
    json_close_list(json);
    json_close(json);
}

static void free_all(struct firefox *firefox)
{
    struct table *tables[] = {&firefox->frames,  &firefox->funcs,  &firefox->resources,
                              &firefox->symbols, &firefox->stacks, &firefox->sources,
                              &firefox->samples};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        free(tables[i]->lines);
    index_free(&firefox->frame_index);
    index_free(&firefox->place_index);
    index_free(&firefox->symbol_index);
    index_free(&firefox->stack_index);
    index_free(&firefox->source_index);
    intern_free(&firefox->strings);
    functions_free(&firefox->functions);
    free(firefox->codes);
    free(firefox->resource_of);
    free(firefox->stack_of);
}

bool firefox_write(FILE *out, const struct export_input *input, struct fault *fault)
{
    (void)fault;
    const struct view *view = input->view;
    const struct profile *profile = view->profile;
    struct firefox firefox = {.view = view,
                              .json.out = out,
                              .functions.view = view,
                              .frames.size = sizeof(struct frame),
                              .funcs.size = sizeof(struct func),
                              .resources.size = sizeof(struct resource),
                              .symbols.size = sizeof(struct symbol),
                              .stacks.size = sizeof(struct stack),
                              .sources.size = sizeof(struct source),
                              .samples.size = sizeof(struct sample)};
    struct json *json = &firefox.json;
    firefox.codes = buf_alloc((profile->module_count + 1) * sizeof *firefox.codes);
    firefox.resource_of =
        buf_alloc((profile->module_count + 1) * sizeof *firefox.resource_of);
    for (size_t i = 0; i < profile->module_count; i++)
        firefox.resource_of[i] = -1;
    firefox.stack_of =
        buf_alloc((view->rows->stacks.node_count + 1) * sizeof *firefox.stack_of);
    json_open(json);
    print_meta(&firefox, input);
    print_libs(&firefox);
    json_open_list_field(json, "pages");
    json_close_list(json);
    json_open_list_field(json, "threads");
    for (enum measures i = 0; i < MEASURES_ALL; i++)
        if (i != MEASURES_SAMPLES && measures_has(profile, i))
            print_thread(&firefox, i);
    json_close_list(json);
    print_shared(&firefox);
    json_close(json);
    fputc('\n', out);
    free_all(&firefox);
    return true;
}
