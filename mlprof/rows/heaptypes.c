/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/heaptypes.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/names/readable.h"

#include <stdlib.h>
#include <string.h>

/* A position in a file that is not that of its source has the number of the file's name,
   and this for none.  */
#define OWN_FILE UINT32_MAX

/* What is said of a call.  */
enum said {
    SAID_NOTHING,
    SAID_RETURNED, /* the result is returned: the caller knows more */
    SAID_DIFFERENT,
    SAID_TYPE
};

struct call {
    enum said said;
    const char *type; /* if that is said */
};

/* The calls that the tables tell of, in all modules.  */
struct calls {
    struct identity identity; /* of the sources */
    struct intern files;
    struct index index; /* key: the source, module and file, line and column */
    struct call *calls; /* by number */
    size_t capacity;
};

static uint64_t pair(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

/* What is known of a call at a position in a source of UNIT; it is added if it is
   missing.  The pointer is valid until the next call.  */
static struct call *put(struct calls *calls, uint32_t module, const struct unit *unit,
                        uint32_t number, const struct function_position *at)
{
    const struct unit_source *source = unit_source(unit, number);
    const struct identity_source identity = identity_of(unit, source);
    bool fresh;
    uint32_t file = at->file == source->file
                        ? OWN_FILE
                        : intern_put(&calls->files, unit_file(unit, at->file));
    uint32_t function = identity_put(&calls->identity, &identity, &fresh);
    uint32_t place = index_put(&calls->index, function, pair(module, file),
                               pair(at->line, at->column), &fresh);
    calls->calls =
        buf_grow(calls->calls, &calls->capacity, place + 1, sizeof *calls->calls);
    if (fresh)
        calls->calls[place] = (struct call){0};
    return &calls->calls[place];
}

static void add_module(struct calls *calls, uint32_t module,
                       const struct typedtable *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct typedtable_call *from = &table->calls[i];
        struct call *call =
            put(calls, module, from->unit, from->source,
                &(struct function_position){
                    .file = from->file, .line = from->line, .column = from->column});
        struct call said = {from->type ? SAID_TYPE : SAID_RETURNED, from->type};
        if (call->said == SAID_NOTHING)
            *call = said;
        else if (call->said != said.said ||
                 (said.type && strcmp(call->type, said.type) != 0))
            call->said = SAID_DIFFERENT;
    }
}

/* What the innermost frame of the local stack at POINT says, or the ones around it if its
   call's result is returned.  */
static struct call at_point(struct calls *calls, uint32_t module,
                            const struct function *function, uint32_t point)
{
    uint32_t copy = function->points[point].copy;
    struct function_position position = function->points[point].position;
    struct call call = {.said = SAID_NOTHING};
    for (;;) {
        uint32_t source = function->copies[copy].source;
        if (source && position.file)
            call = *put(calls, module, function->unit, source, &position);
        else if (source)
            call.said = SAID_NOTHING;
        if ((source && call.said != SAID_RETURNED) || copy == 0)
            return call;
        position = function->copies[copy].call;
        copy = function->copies[copy].parent;
    }
}

/* The type of what was allocated at the point NUMBER of the heap.  */
static const char *type_of(struct calls *calls, const struct heapdata *heap,
                           const struct program *program, uint32_t number)
{
    const char *none = STACKS_UNPROFILED;
    for (uint32_t at = number; at != PROFILE_NO_NODE; at = heap->nodes[at].parent) {
        const struct heapdata_node *node = &heap->nodes[at];
        struct tables *tables =
            node->module < program->count ? program->tables[node->module] : NULL;
        struct tables_point point;
        if (!tables || !tables_find(tables, node->address, &point))
            continue;
        const struct function *function = tables_function(tables, point.function);
        struct call call = at_point(calls, node->module, function, point.point);
        if (call.said == SAID_TYPE)
            return call.type;
        none = HEAPTYPES_UNKNOWN;
        if (call.said != SAID_RETURNED)
            return none;
    }
    return none;
}

/* The name of a type in the style; to be freed.  Arguments are never left out, since
   types with the same text are added up.  */
static char *name_of(const char *type, const struct names_style *names)
{
    char *clean = text_clean(type);
    if (names->form != NAMES_READABLE)
        return clean;
    char *text = readable(clean, 0);
    free(clean);
    return text;
}

/* The row of that type; rows are not sorted yet.  */
static uint32_t row_of(struct heaprows_group *group, size_t *capacity, const char *type,
                       const struct names_style *names)
{
    struct rows *rows = &group->rows;
    char *name = name_of(type, names);
    uint32_t number = intern_put(&rows->stacks.names, name);
    free(name);
    if (number < rows->count)
        return number;
    const char *kept = intern_text(&rows->stacks.names, number);
    rows->rows = buf_grow(rows->rows, capacity, number + 1, sizeof *rows->rows);
    rows->rows[number] = (struct rows_row){.source = {.name = kept}, .shown = kept};
    rows->count = number + 1;
    return number;
}

/* Adds how far estimates from these samples are from the truth.  */
static void add_doubts(struct heaprows_amounts *amounts, const struct heapdata *data,
                       const struct heapdata_sized *sized)
{
    for (size_t i = 0; i < HEAPDATA_MEASURES; i++) {
        heapdata_doubt(amounts->own_doubt[i].of, data->sample, sized->size,
                       sized->blocks[i]);
        amounts->stack_doubt[i] = amounts->own_doubt[i];
    }
}

void heaptypes_group(struct heaprows_group *group, const struct profile *profile,
                     const struct program *program, const struct names_style *names)
{
    const struct heapdata *data = &profile->heap;
    struct rows *rows = &group->rows;
    struct calls calls = {0};
    size_t capacity = 0;
    uint32_t *by_node = buf_alloc((data->node_count + 1) * sizeof *by_node);
    *rows = (struct rows){.key = ROWS_TYPES};
    for (uint32_t i = 0; i < program->count; i++)
        if (program->tables[i])
            add_module(&calls, i, tables_types(program->tables[i]));
    for (uint32_t i = 0; i < data->node_count; i++) {
        uint64_t all = data->nodes[i].of[HEAPDATA_TOTAL].blocks;
        by_node[i] = STACKS_NONE;
        if (!all)
            continue;
        by_node[i] = row_of(group, &capacity, type_of(&calls, data, program, i), names);
        rows->rows[by_node[i]].cur += all;
        rows->total += all;
    }
    group->amounts = buf_alloc((rows->count + 1) * sizeof *group->amounts);
    for (uint32_t i = 0; i < data->node_count; i++)
        if (by_node[i] != STACKS_NONE) {
            struct heaprows_amounts *amounts = &group->amounts[by_node[i]];
            heapdata_add(amounts->own, data->nodes[i].of);
            heapdata_add(amounts->stack, data->nodes[i].of);
        }
    for (size_t i = 0; i < data->sized_count; i++)
        if (by_node[data->sized[i].node] != STACKS_NONE)
            add_doubts(&group->amounts[by_node[data->sized[i].node]], data,
                       &data->sized[i]);
    free(by_node);
    identity_free(&calls.identity);
    intern_free(&calls.files);
    index_free(&calls.index);
    free(calls.calls);
}
