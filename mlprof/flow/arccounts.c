/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flow/arccounts.h"
#include "mlprof/base/buf.h"
#include "mlprof/flow/arcgraph.h"
#include "rt/format.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

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
                          const struct arctables *tables,
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
        .tables = tables,
        .object = object,
        .counts = buf_alloc(function->arcs * sizeof(uint64_t))};
    return number;
}

static bool is_like(const struct arctables_function *one,
                    const struct arctables_function *other)
{
    return one->checksum == other->checksum && one->arcs == other->arcs;
}

static void add_change(struct arccounts *counts, enum arccounts_what what,
                       const struct arctables_function *function)
{
    for (size_t i = 0; i < counts->change_count; i++)
        if (counts->changes[i].what == what &&
            counts->changes[i].of->ident == function->ident &&
            strcmp(counts->changes[i].of->object, function->object) == 0)
            return;
    counts->changes = buf_grow(counts->changes, &counts->change_capacity,
                               counts->change_count + 1, sizeof *counts->changes);
    counts->changes[counts->change_count++] = (struct arccounts_change){what, function};
}

/* What becomes of a function of another build: its number in COUNTS, or NOWHERE.  */
static uint32_t match(struct arccounts *counts, const struct index *known,
                      const struct arctables_function *function)
{
    uint32_t object = intern_put(&counts->objects, function->object), number;
    if (!index_get(known, object, function->ident, 0, &number)) {
        add_change(counts, ARCCOUNTS_GONE, function);
        return NOWHERE;
    }
    counts->functions[number].elsewhere = true;
    if (is_like(counts->functions[number].of, function))
        return number;
    add_change(counts, ARCCOUNTS_CHANGED, function);
    return NOWHERE;
}

/* Functions of the first build that no other has.  */
static void find_new(struct arccounts *counts, const struct profile *profile,
                     const uint32_t *numbers)
{
    const struct arctables *tables = &counts->tables[0];
    bool others = false;
    for (size_t i = 0; i < profile->module_count; i++)
        others |= profile->modules[i].program;
    for (size_t i = 0; others && i < tables->function_count; i++)
        if (numbers[i] != NOWHERE && !counts->functions[numbers[i]].elsewhere)
            add_change(counts, ARCCOUNTS_NEW, &tables->functions[i]);
}

/* The function's number in COUNTS; NOWHERE if another is there already that is not like
   this one.  */
static uint32_t place(struct arccounts *counts, struct index *known,
                      const struct arctables *tables,
                      const struct arctables_function *function)
{
    bool fresh;
    uint32_t number = number_of(counts, known, tables, function, &fresh);
    if (is_like(counts->functions[number].of, function))
        return number;
    counts->contradicted++;
    return NOWHERE;
}

/* Gives the number in COUNTS of each of the module's functions, NOWHERE if it is left
   out; to be freed.  */
static uint32_t *solve_module(struct arccounts *counts, struct index *known,
                              const struct profile *profile, uint32_t module)
{
    const struct arctables *tables = &counts->tables[module];
    bool other = module < profile->module_count && profile->modules[module].program;
    size_t *first = buf_alloc((tables->function_count + 1) * sizeof *first);
    for (size_t i = 0; i < tables->function_count; i++)
        first[i + 1] = first[i] + tables->functions[i].arcs;
    int64_t *sums = add_up(tables, profile, module, first);
    uint32_t *numbers = buf_alloc((tables->function_count + 1) * sizeof *numbers);
    for (size_t i = 0; i < tables->function_count; i++) {
        const struct arctables_function *of = &tables->functions[i];
        numbers[i] = other ? match(counts, known, of) : place(counts, known, tables, of);
        if (numbers[i] == NOWHERE)
            continue;
        struct arccounts_function *function = &counts->functions[numbers[i]];
        for (uint32_t k = 0; k < of->arcs; k++)
            function->counts[k] =
                (int64_t)((uint64_t)function->counts[k] + (uint64_t)sums[first[i] + k]);
    }
    free(sums);
    free(first);
    return numbers;
}

/* Of all modules, by module and address: the function that the runtime tells of there,
   and that may be called there.  */
struct places {
    struct index values, callees;
    const struct arctables_value **value_of;
    const struct arctables_callee **callee_of;
};

static void find_places(struct places *places, const struct arccounts *counts)
{
    size_t values = 0, callees = 0;
    bool fresh;
    for (uint32_t i = 0; i < counts->table_count; i++) {
        values += counts->tables[i].value_count;
        callees += counts->tables[i].callee_count;
    }
    places->value_of = buf_alloc((values + 1) * sizeof *places->value_of);
    places->callee_of = buf_alloc((callees + 1) * sizeof *places->callee_of);
    for (uint32_t i = 0; i < counts->table_count; i++) {
        const struct arctables *tables = &counts->tables[i];
        for (size_t k = 0; k < tables->value_count; k++) {
            const struct arctables_value *value = &tables->values[k];
            places->value_of[index_put(&places->values, i, value->address, 0, &fresh)] =
                value;
        }
        for (size_t k = 0; k < tables->callee_count; k++) {
            const struct arctables_callee *callee = &tables->callees[k];
            places
                ->callee_of[index_put(&places->callees, i, callee->address, 0, &fresh)] =
                callee;
        }
    }
}

static void free_places(struct places *places)
{
    index_free(&places->values);
    index_free(&places->callees);
    free(places->value_of);
    free(places->callee_of);
}

static void add_callee(struct arccounts_function *function, uint32_t call, uint32_t ident,
                       uint64_t count)
{
    function->callees = buf_grow(function->callees, &function->callee_capacity,
                                 function->callee_count + 1, sizeof *function->callees);
    function->callees[function->callee_count++] =
        (struct arccounts_callee){call, ident, count};
}

/* GCC knows only callees that have a profile, too.  */
static void add_target(struct arccounts *counts, uint32_t *const *numbers,
                       const struct places *places, const struct profile_target *target)
{
    uint32_t number, callee;
    if (!index_get(&places->values, target->site_module, target->site, 0, &number) ||
        !index_get(&places->callees, target->module, target->address, 0, &callee))
        return;
    const struct arctables_value *value = places->value_of[number];
    uint32_t at = numbers[target->site_module][value->function];
    const struct arctables *tables = &counts->tables[target->site_module];
    /* Another build may have other calls in a graph like this.  */
    bool same = at != NOWHERE && counts->functions[at].of->indirect ==
                                     tables->functions[value->function].indirect;
    if (same && value->call)
        add_callee(&counts->functions[at], value->call - 1,
                   places->callee_of[callee]->ident, target->count);
}

/* What a variable has counted: of each run CCPROF_FIRST_MOST, less the place.  */
static uint64_t first_of(uint64_t counted)
{
    uint64_t runs = counted / CCPROF_FIRST_MOST + (counted % CCPROF_FIRST_MOST != 0);
    return runs ? (runs * CCPROF_FIRST_MOST - counted) / runs : 0;
}

static void find_firsts(struct arccounts *counts, uint32_t *const *numbers,
                        const struct profile *profile, uint32_t module)
{
    const struct arctables *tables = &counts->tables[module];
    for (size_t i = 0; i < tables->value_count; i++) {
        const struct arctables_value *value = &tables->values[i];
        uint32_t at = numbers[module][value->function];
        if (value->call || at == NOWHERE)
            continue;
        uint64_t first = first_of(profile_count_of(profile, module, value->address));
        uint64_t *known = &counts->functions[at].first;
        if (first && (!*known || first < *known))
            *known = first;
    }
}

static int by_ident(const void *one, const void *other)
{
    const struct arccounts_callee *a = one, *b = other;
    if (a->call != b->call)
        return a->call < b->call ? -1 : 1;
    return (a->ident > b->ident) - (a->ident < b->ident);
}

static int by_count(const void *one, const void *other)
{
    const struct arccounts_callee *a = one, *b = other;
    if (a->call == b->call && a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return by_ident(one, other);
}

static void sort_callees(struct arccounts_function *function)
{
    struct arccounts_callee *callees = function->callees;
    size_t kept = 0;
    if (!callees)
        return;
    qsort(callees, function->callee_count, sizeof *callees, by_ident);
    for (size_t i = 0; i < function->callee_count; i++)
        if (kept && by_ident(&callees[kept - 1], &callees[i]) == 0)
            callees[kept - 1].count += callees[i].count;
        else
            callees[kept++] = callees[i];
    function->callee_count = kept;
    qsort(callees, kept, sizeof *callees, by_count);
}

static void add_values(struct arccounts *counts, uint32_t *const *numbers,
                       const struct profile *profile)
{
    struct places places = {0};
    find_places(&places, counts);
    for (size_t i = 0; i < profile->target_count; i++)
        add_target(counts, numbers, &places, &profile->targets[i]);
    for (uint32_t i = 0; i < counts->table_count; i++)
        find_firsts(counts, numbers, profile, i);
    for (size_t i = 0; i < counts->count; i++)
        sort_callees(&counts->functions[i]);
    free_places(&places);
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

static void agree(struct arccounts *counts, struct arccounts_function *function)
{
    const struct arctables_function *of = function->of;
    const uint32_t *blocks = &function->tables->remainders[of->first_remainder];
    uint64_t *times = of->remainders ? buf_alloc((of->blocks + 1) * sizeof *times) : NULL;
    counts->mended += !arcgraph_agree(function->tables, of, function->counts, times);
    if (!times)
        return;
    function->remainders = buf_alloc(of->remainders * sizeof *function->remainders);
    for (size_t i = 0; i < of->remainders; i++)
        function->remainders[i] = times[blocks[i]];
    free(times);
}

bool arccounts_solve(struct arccounts *counts, const struct profile *profile,
                     const struct program *program, struct fault *fault)
{
    struct index known = {0};
    memset(counts, 0, sizeof *counts);
    if (!read_tables(counts, program, fault))
        return false;
    uint32_t **numbers = buf_alloc((counts->table_count + 1) * sizeof *numbers);
    for (uint32_t i = 0; i < counts->table_count; i++)
        numbers[i] = solve_module(counts, &known, profile, i);
    if (counts->table_count)
        find_new(counts, profile, numbers[0]);
    add_values(counts, numbers, profile);
    for (uint32_t i = 0; i < counts->table_count; i++)
        free(numbers[i]);
    free(numbers);
    for (size_t i = 0; i < counts->count; i++)
        agree(counts, &counts->functions[i]);
    index_free(&known);
    return true;
}

void arccounts_free(struct arccounts *counts)
{
    for (size_t i = 0; i < counts->count; i++) {
        free(counts->functions[i].counts);
        free(counts->functions[i].remainders);
        free(counts->functions[i].callees);
    }
    for (size_t i = 0; i < counts->table_count; i++)
        arctables_free(&counts->tables[i]);
    free(counts->functions);
    free(counts->changes);
    free(counts->tables);
    intern_free(&counts->objects);
    memset(counts, 0, sizeof *counts);
}
