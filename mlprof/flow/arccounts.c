/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flow/arccounts.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

/* What an arc's counters add up to, in the order of the arcs of all functions of a
   module; FIRST has the number of each function's first arc.  To be freed.  */
static int64_t *add_up(const struct arctables *tables, const struct profile *profile,
                       uint32_t module, const size_t *first)
{
    int64_t *sums = buf_alloc((first[tables->function_count] + 1) * sizeof *sums);
    for (size_t i = 0; i < tables->counter_count; i++) {
        const struct edgeterms_counter *counter = &tables->counters[i];
        int64_t *sum = &sums[first[counter->flow] + counter->edge];
        uint64_t count = profile_count_of(profile, module, counter->address);
        *sum = (int64_t)((uint64_t)*sum + (counter->negative ? -count : count));
    }
    return sums;
}

/* The function's number in COUNTS; *FRESH: it is new there.  */
static uint32_t number_of(struct arccounts *counts, struct index *known,
                          const struct arctables_function *function, bool *fresh)
{
    uint32_t object = intern_put(&counts->objects, function->object);
    uint32_t number = index_put(known, object, function->ident, 0, fresh);
    if (!*fresh)
        return number;
    counts->functions = buf_grow(counts->functions, &counts->capacity, counts->count + 1,
                                 sizeof *counts->functions);
    counts->functions[counts->count++] = (struct arccounts_function){
        .of = function,
        .object = object,
        .counts = buf_alloc(function->arcs * sizeof(uint64_t))};
    return number;
}

static bool is_like(const struct arctables_function *one,
                    const struct arctables_function *other)
{
    return one->gcov == other->gcov && one->lineno == other->lineno &&
           one->checksum == other->checksum && one->arcs == other->arcs;
}

static void solve_module(struct arccounts *counts, struct index *known,
                         const struct profile *profile, uint32_t module)
{
    const struct arctables *tables = &counts->tables[module];
    size_t *first = buf_alloc((tables->function_count + 1) * sizeof *first);
    for (size_t i = 0; i < tables->function_count; i++)
        first[i + 1] = first[i] + tables->functions[i].arcs;
    int64_t *sums = add_up(tables, profile, module, first);
    for (size_t i = 0; i < tables->function_count; i++) {
        const struct arctables_function *of = &tables->functions[i];
        bool fresh;
        uint32_t number = number_of(counts, known, of, &fresh);
        struct arccounts_function *function = &counts->functions[number];
        if (!is_like(function->of, of)) {
            counts->contradicted++;
            continue;
        }
        for (uint32_t k = 0; k < of->arcs; k++) {
            int64_t sum = sums[first[i] + k];
            function->counts[k] += sum < 0 ? 0 : (uint64_t)sum;
            function->below |= sum < 0;
        }
    }
    free(sums);
    free(first);
}

static bool read_tables(struct arccounts *counts, const struct program *program,
                        struct fault *fault)
{
    counts->tables = buf_alloc((program->count + 1) * sizeof *counts->tables);
    while (counts->table_count < program->count) {
        const struct tables *tables = program->tables[counts->table_count];
        struct arctables *arcs = &counts->tables[counts->table_count++];
        if (tables && !arctables_read(arcs, tables, fault))
            return false;
    }
    return true;
}

bool arccounts_solve(struct arccounts *counts, const struct profile *profile,
                     const struct program *program, struct fault *fault)
{
    struct index known = {0};
    memset(counts, 0, sizeof *counts);
    if (!read_tables(counts, program, fault))
        return false;
    for (uint32_t i = 0; i < counts->table_count; i++)
        solve_module(counts, &known, profile, i);
    for (size_t i = 0; i < counts->count; i++)
        counts->below += counts->functions[i].below;
    index_free(&known);
    return true;
}

void arccounts_free(struct arccounts *counts)
{
    for (size_t i = 0; i < counts->count; i++)
        free(counts->functions[i].counts);
    for (size_t i = 0; i < counts->table_count; i++)
        arctables_free(&counts->tables[i]);
    free(counts->functions);
    free(counts->tables);
    intern_free(&counts->objects);
    memset(counts, 0, sizeof *counts);
}
