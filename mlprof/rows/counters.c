/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/counters.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>

/* A source that a counter belongs to.  A counter may have several owners.  */
struct owner {
    uint32_t counter; /* number of the counter in the index */
    uint32_t source;  /* STACKS_NONE: the source was taken out (names.h) */
    bool negative;    /* the counter is subtracted */
};

struct owners {
    struct index index; /* of counters; key: module, offset */
    struct owner *owners;
    size_t count, capacity;
};

static uint32_t count_in(const struct tables *tables, enum counters_kind kind)
{
    return kind == COUNTERS_CALLS ? tables_counter_count(tables)
                                  : tables_inclusive_count(tables);
}

static struct tables_counter counter_in(const struct tables *tables,
                                        enum counters_kind kind, uint32_t number)
{
    return kind == COUNTERS_CALLS ? tables_counter(tables, number)
                                  : tables_inclusive(tables, number);
}

static void add_module(struct owners *owners, enum counters_kind kind,
                       struct stacks *stacks, uint32_t module,
                       const struct tables *tables)
{
    for (uint32_t i = 0; i < count_in(tables, kind); i++) {
        struct tables_counter counter = counter_in(tables, kind, i);
        const struct unit_source *source = unit_shown(counter.unit, counter.source);
        bool fresh;
        uint32_t number = index_put(&owners->index, module, counter.offset, 0, &fresh);
        owners->owners = buf_grow(owners->owners, &owners->capacity, owners->count + 1,
                                  sizeof *owners->owners);
        owners->owners[owners->count++] = (struct owner){
            .counter = number,
            .source =
                source ? stacks_unit_source(stacks, counter.unit, source) : STACKS_NONE,
            .negative = counter.negative};
    }
}

/* The counts by the counter's number in the index, to be freed.  What modules without
   tables have counted is added to OUTSIDE.  */
static uint64_t *count_all(const struct owners *owners, const struct profile *profile,
                           const struct program *program, struct counters_sum *outside)
{
    uint64_t *counts = buf_alloc((owners->index.count + 1) * sizeof *counts);
    for (size_t i = 0; i < profile->counter_count; i++) {
        const struct profile_counter *counter = &profile->counters[i];
        uint32_t number;
        if (index_get(&owners->index, counter->module, counter->address, 0, &number)) {
            counts[number] += counter->count;
        } else if (!program->tables[counter->module]) {
            outside->count += counter->count;
            outside->counted = true;
        }
    }
    return counts;
}

/* The sums of a run that was cut off may be negative.  */
static uint64_t not_below_0(uint64_t count)
{
    return count > INT64_MAX ? 0 : count;
}

void counters_find(struct counters *counters, enum counters_kind kind,
                   struct stacks *stacks, const struct profile *profile,
                   const struct program *program)
{
    struct owners owners = {0};
    struct counters_sum outside = {0};
    uint32_t unprofiled = STACKS_NONE;

    for (size_t i = 0; i < program->count; i++)
        if (program->tables[i])
            add_module(&owners, kind, stacks, (uint32_t)i, program->tables[i]);
    uint64_t *counts = count_all(&owners, profile, program, &outside);
    if (outside.counted && kind == COUNTERS_CALLS)
        unprofiled =
            stacks_source(stacks, &(struct identity_source){.name = STACKS_UNPROFILED});

    counters->count = stacks->source_count;
    counters->any = unprofiled != STACKS_NONE;
    counters->sums = buf_alloc((counters->count + 1) * sizeof *counters->sums);
    for (size_t i = 0; i < owners.count; i++) {
        const struct owner *owner = &owners.owners[i];
        uint64_t count =
            owner->negative ? -counts[owner->counter] : counts[owner->counter];
        if (owner->source == STACKS_NONE) {
            counters->left_out += count;
            continue;
        }
        counters->any = true;
        counters->sums[owner->source].counted = true;
        counters->sums[owner->source].count += count;
    }
    for (size_t i = 0; i < counters->count; i++)
        counters->sums[i].count = not_below_0(counters->sums[i].count);
    counters->left_out = not_below_0(counters->left_out);
    if (unprofiled != STACKS_NONE)
        counters->sums[unprofiled] = outside;
    free(counts);
    free(owners.owners);
    index_free(&owners.index);
}
