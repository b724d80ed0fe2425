/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/inclusive.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>

/* A counter and the source that it is of.  */
struct owner {
    uint32_t module, source;
    uint64_t offset;
};

struct owners {
    struct owner *owners;
    size_t count, capacity;
};

static void add_module(struct owners *owners, struct stacks *stacks, uint32_t module,
                       const struct tables *tables)
{
    for (uint32_t i = 0; i < tables_inclusive_count(tables); i++) {
        struct tables_counter counter = tables_inclusive(tables, i);
        const struct unit_source *source = unit_shown(counter.unit, counter.source);
        if (!source)
            continue;
        owners->owners = buf_grow(owners->owners, &owners->capacity, owners->count + 1,
                                  sizeof *owners->owners);
        owners->owners[owners->count++] =
            (struct owner){.module = module,
                           .source = stacks_unit_source(stacks, counter.unit, source),
                           .offset = counter.offset};
    }
}

struct inclusive inclusive_of_sources(struct stacks *stacks,
                                      const struct profile *profile,
                                      const struct program *program)
{
    struct inclusive inclusive = {0};
    struct owners owners = {0};
    struct index index = {0};
    bool fresh;

    for (size_t i = 0; i < program->count; i++)
        if (program->tables[i])
            add_module(&owners, stacks, (uint32_t)i, program->tables[i]);
    if (owners.count) {
        inclusive.count = stacks->source_count;
        inclusive.counts = buf_alloc(inclusive.count * sizeof *inclusive.counts);
    }
    for (size_t i = 0; i < profile->counter_count; i++)
        index_put(&index, profile->counters[i].module, profile->counters[i].address, 0,
                  &fresh);
    for (size_t i = 0; i < owners.count; i++) {
        const struct owner *owner = &owners.owners[i];
        uint32_t counter = index_put(&index, owner->module, owner->offset, 0, &fresh);
        if (counter < profile->counter_count)
            inclusive.counts[owner->source] += profile->counters[counter].count;
    }
    free(owners.owners);
    index_free(&index);
    return inclusive;
}
