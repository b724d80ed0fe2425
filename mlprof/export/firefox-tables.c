/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers the functions, frames, stacks, strings and libraries of a view as the
   Profiler's tables need them. firefox.c prints the tables. */

#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/export/firefox-inside.h"

#include <stdlib.h>
#include <string.h>

static void *add_line(struct firefox_table *table)
{
    table->lines =
        buf_grow(table->lines, &table->capacity, table->count + 1, table->size);
    return (char *)table->lines + table->size * table->count++;
}

static int64_t string(struct firefox_tables *tables, const char *text)
{
    return intern_put(&tables->strings, text);
}

static int64_t resource_of(struct firefox_tables *tables, uint32_t module)
{
    if (module == STACKS_NONE)
        return -1;
    if (tables->resource_of[module] >= 0)
        return tables->resource_of[module];
    const char *path = program_path(tables->view->program, tables->view->profile, module);
    if (!segments_find_code(path, &tables->codes[module]))
        tables->codes[module] = (struct segments_code){0};
    *(struct firefox_resource *)add_line(&tables->resources) =
        (struct firefox_resource){.lib = module, .name = string(tables, path_last(path))};
    return tables->resource_of[module] = (int64_t)tables->resources.count - 1;
}

static int64_t source_of(struct firefox_tables *tables,
                         const struct functions_function *function)
{
    bool fresh;
    if (!*function->file)
        return FIREFOX_NULL;
    int64_t name = string(tables, function->file);
    uint32_t number = index_put(&tables->source_index, (uint64_t)name, 0, 0, &fresh);
    if (fresh)
        *(struct firefox_source *)add_line(&tables->sources) =
            (struct firefox_source){.name = name, .path = function->path};
    return number;
}

/* Adds a function if it is new, and returns its number. The number equals the
   function's number in content.h, so each function that is added there must be added
   here at the same time. */
static int64_t func(struct firefox_tables *tables, uint32_t number, uint32_t module)
{
    if (number < tables->funcs.count)
        return number;
    const struct functions_function *function = &tables->functions.list[number];
    *(struct firefox_func *)add_line(&tables->funcs) = (struct firefox_func){
        .name = string(tables, function->name),
        .resource = resource_of(tables, module),
        .source = source_of(tables, function),
        .line = function->line ? function->line : FIREFOX_NULL,
        .column = function->line && function->column ? function->column : FIREFOX_NULL};
    return number;
}

/* Returns ADDRESS relative to the library's image in memory, or -1 if ADDRESS is not
   in the library's code. */
static int64_t relative(const struct firefox_tables *tables, uint32_t module,
                        uint64_t address)
{
    const struct segments_code *code = &tables->codes[module];
    bool inside = address >= code->start && address < code->end;
    return inside ? (int64_t)(address - code->image) : -1;
}

/* Returns the number of the symbol of a copy's compiled function. Adds the symbol if
   it is new. */
static int64_t symbol(struct firefox_tables *tables, const struct stacks_copy *copy)
{
    bool fresh;
    uint32_t number =
        index_put(&tables->symbol_index, copy->module, copy->function, 0, &fresh);
    if (!fresh)
        return number;
    struct tables *module_tables = tables->view->program->tables[copy->module];
    const struct function *function = tables_function(module_tables, copy->function);
    const struct unit_source *source =
        unit_source(function->unit, function->copies.list[0].source);
    const char *name = !source ? "?" : *source->symbol ? source->symbol : source->name;
    uint64_t start, end;
    tables_function_range(module_tables, copy->function, &start, &end);
    *(struct firefox_symbol *)add_line(&tables->symbols) =
        (struct firefox_symbol){.lib = copy->module,
                                .address = relative(tables, copy->module, start),
                                .name = string(tables, name),
                                .size = (int64_t)(end - start)};
    return number;
}

/* Returns the inline depth of a node: the number of frames around it that have the
   same address. */
static int64_t depth_of(const struct stacks *stacks, uint32_t node)
{
    int64_t depth = 0;
    while (stacks->nodes.list[node].inlined) {
        uint32_t parent = stacks->nodes.list[node].parent;
        if (parent == STACKS_NONE ||
            stacks->nodes.list[parent].address != stacks->nodes.list[node].address)
            break;
        node = parent;
        depth++;
    }
    return depth;
}

static int64_t frame(struct firefox_tables *tables, uint32_t number)
{
    const struct stacks *stacks = &tables->view->rows->stacks;
    const struct stacks_node *node = &stacks->nodes.list[number];
    const struct stacks_copy *copy = &stacks->copies.list[node->copy];
    const struct stacks_position *position = &stacks->positions.list[node->position];
    uint32_t module = copy->module == STACKS_NONE ? copy->home : copy->module;
    int64_t function =
        func(tables, functions_of_node(&tables->functions, number), module);
    int64_t depth = depth_of(stacks, number);
    bool fresh;
    resource_of(tables, module);
    uint32_t place = index_put(&tables->place_index, (uint64_t)function,
                               (uint64_t)position->line << 32 | position->column,
                               (uint64_t)depth, &fresh);
    uint32_t result =
        index_put(&tables->frame_index, place, module, node->address, &fresh);
    if (!fresh)
        return result;
    int64_t address =
        module == STACKS_NONE ? -1 : relative(tables, module, node->address);
    bool known = address >= 0 && copy->module != STACKS_NONE;
    *(struct firefox_frame *)add_line(&tables->frames) = (struct firefox_frame){
        .address = address,
        .depth = depth,
        .category = copy->module == STACKS_NONE ? FIREFOX_OTHER
                    : depth                     ? FIREFOX_INLINED
                                                : FIREFOX_FUNCTION,
        .func = function,
        .symbol = known ? symbol(tables, copy) : FIREFOX_NULL,
        .line = position->line ? position->line : FIREFOX_NULL,
        .column = position->line && position->column ? position->column : FIREFOX_NULL};
    return result;
}

static uint32_t put_stack(struct firefox_tables *tables, int64_t parent, int64_t frame)
{
    bool fresh;
    uint32_t number =
        index_put(&tables->stack_index, (uint64_t)parent, (uint64_t)frame, 0, &fresh);
    if (fresh)
        *(struct firefox_stack *)add_line(&tables->stacks) = (struct firefox_stack){
            .frame = frame, .offset = parent == FIREFOX_NULL ? 0 : number - parent};
    return number;
}

static void add_sample(struct firefox_tables *tables, uint32_t stack, uint64_t count,
                       uint64_t bucket)
{
    *(struct firefox_sample *)add_line(&tables->samples) =
        (struct firefox_sample){.stack = stack, .count = count, .bucket = bucket};
}

/* Adds the samples of a node: one entry for each bucket of time, and one entry for
   samples whose time is unknown. */
static void add_samples(struct firefox_tables *tables, uint32_t number)
{
    const struct stacks *stacks = &tables->view->rows->stacks;
    const struct times *times = &stacks->times;
    uint64_t left = stacks->nodes.list[number].count;
    size_t next = tables->first_time ? tables->first_time[number] : times->shares.count;
    for (; next < times->shares.count && times->shares.entries[next].owner == number;
         next++) {
        const struct shares_entry *entry = &times->shares.entries[next];
        uint64_t count = entry->count < left ? entry->count : left;
        add_sample(tables, tables->stack_of[number], count, entry->bin);
        left -= count;
    }
    if (left)
        add_sample(tables, tables->stack_of[number], left, 0);
}

BUF_COMPARE(by_bucket, struct firefox_sample,
            BUF_ORDER(a->bucket, b->bucket) ?: BUF_ORDER(a->stack, b->stack))

static void sort_samples(struct firefox_tables *tables)
{
    if (tables->first_time)
        buf_sort(tables->samples.lines, tables->samples.count, tables->samples.size,
                 by_bucket);
}

/* Adds the stack of a node that is not a thread. The stack of its parent must already
   exist. */
static void add_stack(struct firefox_tables *tables, uint32_t number)
{
    const struct stacks *stacks = &tables->view->rows->stacks;
    const struct stacks_node *node = &stacks->nodes.list[number];
    bool outermost =
        node->parent == STACKS_NONE || stacks_what(stacks, node->parent) == STACKS_THREAD;
    if (node->weight == 0)
        return;
    int64_t parent = outermost ? FIREFOX_NULL : tables->stack_of[node->parent];
    tables->stack_of[number] = put_stack(tables, parent, frame(tables, number));
    add_samples(tables, number);
}

/* Adds the stacks of a root and all its descendants. */
static void add_tree(struct firefox_tables *tables, uint32_t root)
{
    const struct stacks *stacks = &tables->view->rows->stacks;
    struct stacks_walk walk = {.started = true, .node = root};
    do
        if (!walk.leave && stacks_what(stacks, walk.node) != STACKS_THREAD)
            add_stack(tables, walk.node);
    while (!(walk.leave && walk.node == root) && stacks_walk_next(stacks, &walk));
}

void firefox_tables_add_thread(struct firefox_tables *tables, uint32_t root)
{
    const struct stacks *stacks = &tables->view->rows->stacks;
    tables->samples.count = 0;
    if (root != STACKS_NONE)
        add_tree(tables, root);
    else
        for (uint32_t i = stacks->first; i != STACKS_NONE;
             i = stacks->nodes.list[i].sibling)
            if (stacks_what(stacks, i) != STACKS_THREAD)
                add_tree(tables, i);
    sort_samples(tables);
}

/* Adds a stack with one frame for each function that has VALUE. */
static void add_functions(struct firefox_tables *tables, const struct values_value *value)
{
    const struct rows *rows = tables->view->rows;
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct rows_row *row = &rows->rows[i];
        uint64_t amount =
            row->branch ? 0 : rows_amount(row, value->measure, value->blocks);
        if (amount == 0)
            continue;
        bool fresh;
        int64_t function =
            func(tables, functions_of_row(&tables->functions, i), STACKS_NONE);
        uint32_t place =
            index_put(&tables->place_index, (uint64_t)function, UINT64_MAX, 0, &fresh);
        uint32_t number = index_put(&tables->frame_index, place, STACKS_NONE, 0, &fresh);
        if (fresh)
            *(struct firefox_frame *)add_line(&tables->frames) = (struct firefox_frame){
                .address = -1,
                .category = row->source.file ? FIREFOX_FUNCTION : FIREFOX_OTHER,
                .func = function,
                .symbol = FIREFOX_NULL,
                .line = row->source.line ? row->source.line : FIREFOX_NULL,
                .column = FIREFOX_NULL};
        add_sample(tables, put_stack(tables, FIREFOX_NULL, number), amount, 0);
    }
}

void firefox_tables_add(struct firefox_tables *tables, const struct values_value *value)
{
    tables->samples.count = 0;
    if (!values_has_stacks(value, tables->view->profile)) {
        add_functions(tables, value);
        return;
    }
    for (uint32_t i = 0; i < tables->view->rows->stacks.nodes.count; i++)
        add_stack(tables, i);
    sort_samples(tables);
}

/* If times were recorded, sets FIRST_TIME. */
static void keep_times(struct firefox_tables *tables)
{
    const struct stacks *stacks = &tables->view->rows->stacks;
    const struct times *times = &stacks->times;
    if (!times->width)
        return;
    tables->first_time =
        buf_alloc((stacks->nodes.count + 1) * sizeof *tables->first_time);
    for (size_t i = 0, next = 0; i < stacks->nodes.count; i++) {
        while (next < times->shares.count && times->shares.entries[next].owner < i)
            next++;
        tables->first_time[i] = next;
    }
}

void firefox_tables_open(struct firefox_tables *tables, const struct view *view)
{
    size_t modules = view->profile->modules.count;
    *tables = (struct firefox_tables){.view = view,
                                      .functions.view = view,
                                      .frames.size = sizeof(struct firefox_frame),
                                      .funcs.size = sizeof(struct firefox_func),
                                      .resources.size = sizeof(struct firefox_resource),
                                      .symbols.size = sizeof(struct firefox_symbol),
                                      .stacks.size = sizeof(struct firefox_stack),
                                      .sources.size = sizeof(struct firefox_source),
                                      .samples.size = sizeof(struct firefox_sample)};
    tables->codes = buf_alloc((modules + 1) * sizeof *tables->codes);
    tables->resource_of = buf_alloc((modules + 1) * sizeof *tables->resource_of);
    for (size_t i = 0; i < modules; i++)
        tables->resource_of[i] = -1;
    tables->stack_of =
        buf_alloc((view->rows->stacks.nodes.count + 1) * sizeof *tables->stack_of);
    keep_times(tables);
}

void firefox_tables_free(struct firefox_tables *tables)
{
    struct firefox_table *all[] = {&tables->frames,  &tables->funcs,  &tables->resources,
                                   &tables->symbols, &tables->stacks, &tables->sources,
                                   &tables->samples};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->lines);
    index_free(&tables->frame_index);
    index_free(&tables->place_index);
    index_free(&tables->symbol_index);
    index_free(&tables->stack_index);
    index_free(&tables->source_index);
    intern_free(&tables->strings);
    functions_free(&tables->functions);
    free(tables->codes);
    free(tables->resource_of);
    free(tables->stack_of);
    free(tables->first_time);
}

/* The phase of markers that have a start and an end. */
#define INTERVAL 1

enum column { DATA, NAME, START, END, PHASE, CATEGORY, COLUMNS };

static void print_value(struct json *json, struct firefox_tables *tables,
                        const struct regionevents_call *call, enum column column)
{
    struct report *report = tables->view->report;
    const struct regionrows *names = report_regions(report, REGIONROWS_NAMES);
    const struct regionrows *paths = report_regions(report, REGIONROWS_PATHS);
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
        json_text_field(json, "type", FIREFOX_MARKER);
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
