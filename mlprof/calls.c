/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/calls.h"
#include "mlprof/buf.h"

#include <stdlib.h>

/* The source of each counter.  */
struct owners {
    struct index index; /* module, offset */
    uint32_t *sources;  /* STACKS_NONE: taken out, unprofile.h, or not of calls */
    size_t capacity;
};

static uint32_t *owner(struct owners *owners, uint32_t module, uint64_t offset,
                       bool *fresh)
{
    uint32_t number = index_put(&owners->index, module, offset, 0, fresh);
    owners->sources =
        buf_grow(owners->sources, &owners->capacity, number + 1, sizeof *owners->sources);
    return &owners->sources[number];
}

static void add_module(struct owners *owners, struct stacks *stacks, uint32_t module,
                       const struct tables *tables)
{
    for (uint32_t i = 0; i < tables_counter_count(tables); i++) {
        struct tables_counter counter = tables_counter(tables, i);
        const struct unit_source *source = unit_shown(counter.unit, counter.source);
        bool fresh;
        *owner(owners, module, counter.offset, &fresh) =
            source ? stacks_source(stacks, source->name,
                                   unit_file(counter.unit, source->file),
                                   counter.unit->directory, source->line)
                   : STACKS_NONE;
    }
}

static void add_modules(struct owners *owners, struct stacks *stacks,
                        const struct program *program)
{
    for (size_t i = 0; i < program->count; i++)
        if (program->tables[i])
            add_module(owners, stacks, (uint32_t)i, program->tables[i]);
}

struct calls *calls_of_sources(struct stacks *stacks, const struct profile *profile,
                               const struct program *program)
{
    struct owners owners = {0};
    add_modules(&owners, stacks, program);
    size_t known = owners.index.count;
    for (size_t i = 0; i < profile->counter_count; i++) {
        const struct profile_counter *counter = &profile->counters[i];
        bool fresh;
        uint32_t *source = owner(&owners, counter->module, counter->address, &fresh);
        if (fresh)
            *source = program->tables[counter->module]
                          ? STACKS_NONE
                          : stacks_source(stacks, STACKS_UNPROFILED, NULL, NULL, 0);
    }

    struct calls *calls = buf_alloc((stacks->source_count + 1) * sizeof *calls);
    for (size_t i = 0; i < known; i++)
        if (owners.sources[i] != STACKS_NONE)
            calls[owners.sources[i]].counted = true;
    for (size_t i = 0; i < profile->counter_count; i++) {
        const struct profile_counter *counter = &profile->counters[i];
        bool fresh;
        uint32_t source = *owner(&owners, counter->module, counter->address, &fresh);
        if (source == STACKS_NONE)
            continue;
        calls[source].counted = true;
        calls[source].count += counter->count;
    }
    free(owners.sources);
    index_free(&owners.index);
    return calls;
}
