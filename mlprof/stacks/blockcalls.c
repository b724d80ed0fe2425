/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/stacks/blockcalls.h"
#include "mlprof/base/buf.h"
#include "mlprof/tables/tables.h"

#include <stdlib.h>
#include <string.h>

struct call {
    struct blockcalls_said said;
    bool different; /* different types are said of it */
};

/* The calls that the tables tell of, in all modules.  */
struct blockcalls {
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

static void add_call(struct blockcalls *calls, uint32_t module,
                     const struct typedtable_call *from)
{
    const struct unit_source *source = unit_source(from->unit, from->source);
    const struct identity_source identity = identity_of(from->unit, source);
    bool fresh;
    uint32_t file = intern_put(&calls->files, unit_file(from->unit, from->file));
    uint32_t function = identity_put(&calls->identity, &identity, &fresh);
    uint32_t place = index_put(&calls->index, function, pair(module, file),
                               pair(from->line, from->column), &fresh);
    struct call *call = &BUF_AT(calls->calls, place, calls->capacity);
    if (fresh)
        *call = (struct call){.said = {from->type, from->returned}};
    const char *type = call->said.type;
    call->different |=
        type && from->type ? strcmp(type, from->type) != 0 : type != from->type;
    call->said.returned &= from->returned;
}

struct blockcalls *blockcalls_new(const struct program *program,
                                  const struct stacks *stacks)
{
    struct blockcalls *calls = buf_alloc(sizeof *calls);
    bool fresh;
    for (uint32_t i = 0; i < program->count; i++) {
        const struct typedtable *table =
            program->tables[i] ? tables_types(program->tables[i]) : NULL;
        for (size_t k = 0; table && k < table->count; k++)
            add_call(calls, i, &table->calls[k]);
    }
    calls->of_source = buf_alloc((stacks->source_count + 1) * sizeof *calls->of_source);
    for (size_t i = 0; i < stacks->source_count; i++)
        calls->of_source[i] = identity_put(&calls->identity, &stacks->sources[i], &fresh);
    return calls;
}

struct blockcalls_said blockcalls_at(struct blockcalls *calls,
                                     const struct stacks *stacks, uint32_t node)
{
    const struct stacks_position *at = &stacks->positions[stacks->nodes[node].position];
    uint32_t source = stacks_source_of(stacks, node), number;
    uint32_t module = stacks->copies[stacks->nodes[node].copy].module;
    if (!at->file)
        return (struct blockcalls_said){0};
    uint32_t file = intern_put(&calls->files, at->file);
    if (!index_get(&calls->index, calls->of_source[source], pair(module, file),
                   pair(at->line, at->column), &number))
        return (struct blockcalls_said){0};
    return calls->calls[number].different ? (struct blockcalls_said){0}
                                          : calls->calls[number].said;
}

bool blockcalls_any(const struct blockcalls *calls)
{
    return calls->index.count != 0;
}

void blockcalls_free(struct blockcalls *calls)
{
    if (!calls)
        return;
    identity_free(&calls->identity);
    intern_free(&calls->files);
    index_free(&calls->index);
    free(calls->calls);
    free(calls->of_source);
    free(calls);
}
