/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the types of blocks of memory.  The tables tell for a call at a position in a
   source which type its blocks have, or that the function returns its result: then the
   call around it knows the type (doc/tables.md, "Types of blocks").  */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/groups/grouping-inside.h"
#include "mlprof/names/readable.h"
#include "mlprof/tables/tables.h"

#include <stdlib.h>
#include <string.h>

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
struct grouping_types {
    struct identity identity; /* of the sources */
    struct intern files;      /* a file by each of its names: a unit has one for it */
    struct index index;       /* key: the source, module and file, line and column */
    struct call *calls;       /* by number */
    size_t capacity;
    uint32_t *of_source; /* by source of the stacks: the number of its identity */
};

static uint64_t pair(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

static void add_call(struct grouping_types *types, uint32_t module,
                     const struct typedtable_call *from)
{
    const struct unit_source *source = unit_source(from->unit, from->source);
    const struct identity_source identity = identity_of(from->unit, source);
    bool fresh;
    uint32_t file = intern_put(&types->files, unit_file(from->unit, from->file));
    uint32_t function = identity_put(&types->identity, &identity, &fresh);
    uint32_t place = index_put(&types->index, function, pair(module, file),
                               pair(from->line, from->column), &fresh);
    struct call said = {from->type ? SAID_TYPE : SAID_RETURNED, from->type};
    types->calls =
        buf_grow(types->calls, &types->capacity, place + 1, sizeof *types->calls);
    struct call *call = &types->calls[place];
    if (fresh)
        *call = said;
    else if (call->said != said.said || (said.type && strcmp(call->type, said.type) != 0))
        call->said = SAID_DIFFERENT;
}

void grouping_find_types(struct grouping_builder *build)
{
    const struct program *program = build->asked->program;
    const struct stacks *stacks = &build->asked->rows->stacks;
    struct grouping_types *types = build->types = buf_alloc(sizeof *types);
    bool fresh;
    for (uint32_t i = 0; i < program->count; i++) {
        const struct typedtable *table =
            program->tables[i] ? tables_types(program->tables[i]) : NULL;
        for (size_t k = 0; table && k < table->count; k++)
            add_call(types, i, &table->calls[k]);
    }
    types->of_source = buf_alloc((stacks->source_count + 1) * sizeof *types->of_source);
    for (size_t i = 0; i < stacks->source_count; i++)
        types->of_source[i] = identity_put(&types->identity, &stacks->sources[i], &fresh);
}

/* What is said of the call in a frame of a module.  */
static struct call call_in(const struct grouping_builder *build, uint32_t node)
{
    const struct stacks *stacks = &build->asked->rows->stacks;
    const struct stacks_position *at = &stacks->positions[stacks->nodes[node].position];
    uint32_t source = stacks_source_of(stacks, node), number;
    uint32_t module = stacks->copies[stacks->nodes[node].copy].module;
    struct grouping_types *types = build->types;
    if (!at->file)
        return (struct call){.said = SAID_NOTHING};
    uint32_t file = intern_put(&types->files, at->file);
    if (!index_get(&types->index, types->of_source[source], pair(module, file),
                   pair(at->line, at->column), &number))
        return (struct call){.said = SAID_NOTHING};
    return types->calls[number];
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

uint32_t grouping_type_of(struct grouping_builder *build, uint32_t number)
{
    const struct stacks *stacks = &build->asked->rows->stacks;
    const char *none = STACKS_UNPROFILED;
    for (uint32_t at = number; at != STACKS_NONE; at = stacks->nodes[at].parent) {
        if (stacks->copies[stacks->nodes[at].copy].module == STACKS_NONE)
            continue;
        struct call call = call_in(build, at);
        if (call.said == SAID_TYPE) {
            char *name = name_of(call.type, build->asked->names);
            uint32_t group = grouping_put_type(&build->keys, name);
            free(name);
            return group;
        }
        none = GROUPING_UNKNOWN_TYPE;
        if (call.said != SAID_RETURNED)
            break;
    }
    return grouping_put_type(&build->keys, none);
}

void grouping_free_types(struct grouping_builder *build)
{
    struct grouping_types *types = build->types;
    if (!types)
        return;
    identity_free(&types->identity);
    intern_free(&types->files);
    index_free(&types->index);
    free(types->calls);
    free(types->of_source);
    free(types);
    build->types = NULL;
}
