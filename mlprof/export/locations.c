/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers functions, and addresses with their inlined functions, and assigns each
   module a place in memory. */

#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/elf/symbols.h"
#include "mlprof/export/locations.h"

#include <stdlib.h>
#include <string.h>

/* Modules are mapped one after the other, at multiples of ALIGNMENT. Addresses in the
   first module equal the addresses in its file. */
#define ALIGNMENT ((uint64_t)1 << 21)

void locations_open(struct locations *locations, const struct view *view)
{
    size_t modules = view->profile->modules.count + 1;
    *locations = (struct locations){.view = view};
    locations->mappings = buf_alloc(modules * sizeof *locations->mappings);
    locations->modules = buf_alloc(modules * sizeof *locations->modules);
    locations->of_node =
        buf_alloc((view->rows->stacks.nodes.count + 1) * sizeof *locations->of_node);
}

void locations_free(struct locations *locations)
{
    free(locations->functions.list);
    index_free(&locations->function_index);
    intern_free(&locations->texts);
    index_free(&locations->line_index);
    index_free(&locations->place_index);
    free(locations->mappings);
    free(locations->modules);
    free(locations->lines.list);
    free(locations->innermost);
    free(locations->of_node);
}

/* Returns a copy of TEXT, which may be NULL, in UTF-8. It lives as long as LOCATIONS. */
static const char *keep_text(struct locations *locations, const char *text)
{
    return intern_keep(&locations->texts, utf8_valid(text ? text : ""));
}

uint32_t locations_function(struct locations *locations, uint32_t row, const char *file)
{
    const struct rows_row *entry = &locations->view->rows->rows[row];
    const struct identity_source *source = &entry->source;
    bool fresh;
    uint32_t text = file ? intern_put(&locations->texts, file) : UINT32_MAX;
    uint32_t number = index_put(&locations->function_index, row, text, 0, &fresh);
    if (!fresh)
        return number;
    BUF_OWN char *name = view_name(locations->view, entry);
    bool at_home = file && source->file && strcmp(file, source->file) == 0;
    BUF_PUSH(locations->functions) =
        (struct locations_function){.name = keep_text(locations, name),
                                    .symbol = keep_text(locations, source->symbol),
                                    .file = keep_text(locations, file),
                                    .line = at_home ? source->line : 0};
    return number;
}

/* Returns the number of the function of a node of the stacks. The node must have a
   weight. */
static uint32_t function_of_node(struct locations *locations, uint32_t number)
{
    const struct rows *rows = locations->view->rows;
    const struct stacks_node *node = &rows->stacks.nodes.list[number];
    const char *file = rows->stacks.positions.list[node->position].file;
    uint32_t row = rows_of_node(rows, number);
    if (!file || rows->stacks.copies.list[node->copy].module == STACKS_NONE)
        file = rows->rows[row].source.file;
    return locations_function(locations, row, file);
}

void locations_map(struct locations *locations, uint32_t module)
{
    const struct view *view = locations->view;
    struct locations_mapping *mapping = &locations->mappings[module];
    struct segments_code code;
    if (mapping->id)
        return;
    locations->modules[locations->mapping_count++] = module;
    mapping->id = locations->mapping_count;
    if (!segments_find_code(program_path(view->program, view->profile, module), &code))
        return;
    if (locations->end > code.start)
        mapping->base =
            (locations->end - code.start + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    mapping->start = mapping->base + code.start;
    mapping->limit = mapping->base + code.end;
    mapping->offset = code.offset;
    locations->end = mapping->limit;
}

static uint32_t put_line(struct locations *locations, const struct locations_line *line)
{
    bool fresh;
    uint32_t place = index_put(&locations->place_index, line->function,
                               (uint64_t)line->line << 32 | line->column, 0, &fresh);
    uint32_t number =
        index_put(&locations->line_index, (uint64_t)line->outer << 32 | place,
                  line->module, line->address, &fresh);
    if (fresh)
        BUF_PUSH(locations->lines) = *line;
    return number;
}

/* Returns the ID of the location whose innermost line is INNERMOST. Adds the location
   if it is new. */
static uint32_t location_of(struct locations *locations, uint32_t innermost)
{
    struct locations_line *line = &locations->lines.list[innermost];
    if (line->location)
        return line->location;
    if (line->module != LOCATIONS_NONE)
        locations_map(locations, line->module);
    BUF_NEXT(locations->innermost, locations->count, locations->capacity) = innermost;
    return line->location = (uint32_t)locations->count;
}

/* Returns whether NODE is inlined into its parent, at the same address. */
static bool shares_location(const struct stacks *stacks, uint32_t node)
{
    const struct stacks_node *inner = &stacks->nodes.list[node];
    if (!inner->inlined || inner->parent == STACKS_NONE)
        return false;
    const struct stacks_node *outer = &stacks->nodes.list[inner->parent];
    return outer->address == inner->address &&
           stacks->copies.list[outer->copy].module ==
               stacks->copies.list[inner->copy].module;
}

void locations_put_node(struct locations *locations, uint32_t number)
{
    const struct stacks *stacks = &locations->view->rows->stacks;
    const struct stacks_node *node = &stacks->nodes.list[number];
    const struct stacks_position *position = &stacks->positions.list[node->position];
    const struct stacks_copy *copy = &stacks->copies.list[node->copy];
    uint32_t module = copy->module == STACKS_NONE ? copy->home : copy->module;
    struct locations_line line = {
        .outer = shares_location(stacks, number) ? locations->of_node[node->parent]
                                                 : LOCATIONS_NONE,
        .function = function_of_node(locations, number),
        .line = position->line,
        .column = position->column,
        .module = module == STACKS_NONE ? LOCATIONS_NONE : module,
        .address = node->address};
    locations->of_node[number] = put_line(locations, &line);
}

uint32_t locations_of_node(struct locations *locations, uint32_t node,
                           uint32_t *outermost)
{
    const struct stacks *stacks = &locations->view->rows->stacks;
    for (*outermost = node; shares_location(stacks, *outermost);)
        *outermost = stacks->nodes.list[*outermost].parent;
    return location_of(locations, locations->of_node[node]);
}

uint32_t locations_of_line(struct locations *locations, const struct locations_line *line)
{
    return location_of(locations, put_line(locations, line));
}

const char *locations_symbol(const struct locations_function *function)
{
    return *function->symbol ? function->symbol : *function->file ? function->name : "";
}

uint64_t locations_address(const struct locations *locations,
                           const struct locations_line *innermost)
{
    const struct locations_mapping *mapping = &locations->mappings[innermost->module];
    uint64_t moved = mapping->base + innermost->address;
    return moved >= mapping->start && moved < mapping->limit ? moved : 0;
}
