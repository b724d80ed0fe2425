/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/calls.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>

/* A source that a counter counts calls of; a counter may have several.  */
struct owner {
    uint32_t counter; /* number in the index */
    uint32_t source;
};

struct owners {
    struct index index; /* of counters: module, offset */
    struct owner *owners;
    size_t count, capacity;
};

static void add_module(struct owners *owners, struct stacks *stacks, uint32_t module,
                       const struct tables *tables)
{
    for (uint32_t i = 0; i < tables_counter_count(tables); i++) {
        struct tables_counter counter = tables_counter(tables, i);
        const struct unit_source *source = unit_shown(counter.unit, counter.source);
        bool fresh;
        uint32_t number = index_put(&owners->index, module, counter.offset, 0, &fresh);
        /* Taken out: unprofile.h.  */
        if (!source)
            continue;
        owners->owners = buf_grow(owners->owners, &owners->capacity, owners->count + 1,
                                  sizeof *owners->owners);
        owners->owners[owners->count++] =
            (struct owner){.counter = number,
                           .source = stacks_unit_source(stacks, counter.unit, source)};
    }
}

static void add_modules(struct owners *owners, struct stacks *stacks,
                        const struct program *program)
{
    for (size_t i = 0; i < program->count; i++)
        if (program->tables[i])
            add_module(owners, stacks, (uint32_t)i, program->tables[i]);
}

/* What each counter of the index has counted, to be freed.  That of modules without
   tables goes to *OUTSIDE, and *ANY says whether there is such a module.  */
static uint64_t *count_all(const struct owners *owners, const struct profile *profile,
                           const struct program *program, uint64_t *outside, bool *any)
{
    uint64_t *counts = buf_alloc((owners->index.count + 1) * sizeof *counts);
    for (size_t i = 0; i < profile->counter_count; i++) {
        const struct profile_counter *counter = &profile->counters[i];
        uint32_t number;
        if (index_get(&owners->index, counter->module, counter->address, 0, &number)) {
            counts[number] += counter->count;
        } else if (!program->tables[counter->module]) {
            *outside += counter->count;
            *any = true;
        }
    }
    return counts;
}

struct calls *calls_of_sources(struct stacks *stacks, const struct profile *profile,
                               const struct program *program)
{
    struct owners owners = {0};
    uint64_t outside = 0;
    bool any_outside = false;
    uint32_t unprofiled = STACKS_NONE;

    add_modules(&owners, stacks, program);
    uint64_t *counts = count_all(&owners, profile, program, &outside, &any_outside);
    if (any_outside)
        unprofiled =
            stacks_source(stacks, &(struct identity_source){.name = STACKS_UNPROFILED});

    struct calls *calls = buf_alloc((stacks->source_count + 1) * sizeof *calls);
    for (size_t i = 0; i < owners.count; i++) {
        struct calls *of = &calls[owners.owners[i].source];
        of->counted = true;
        of->count += counts[owners.owners[i].counter];
    }
    if (any_outside)
        calls[unprofiled] = (struct calls){.counted = true, .count = outside};
    free(counts);
    free(owners.owners);
    index_free(&owners.index);
    return calls;
}
