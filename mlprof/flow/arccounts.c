/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solves the flow graphs of each module, and adds up the functions of the same object
   file over modules and builds. Functions are matched by object and ident. */

#include "mlprof/flow/arccounts.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/flow/flowcounts.h"
#include "rt/format.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

/* Returns the number of the function's object file, at its current path. */
static uint32_t object_of(struct arccounts *counts,
                          const struct arctables_function *function)
{
    struct source_paths_list list = {0};
    if (counts->moved)
        source_paths_list(&list, counts->moved, function->object);
    uint32_t number =
        intern_put(&counts->objects, list.count ? list.places[0] : function->object);
    source_paths_list_free(&list);
    return number;
}

static bool is_same_graph(const struct arctables_function *one,
                          const struct arctables_function *other)
{
    return one->checksum == other->checksum && one->arcs == other->arcs;
}

static void add_change(struct arccounts *counts, enum arccounts_what what,
                       const struct arctables_function *function)
{
    bool fresh;
    uint32_t object = object_of(counts, function);
    index_put(&counts->change_index, what, object, function->ident, &fresh);
    if (!fresh)
        return;
    BUF_PUSH(counts->changes) =
        (struct arccounts_change){what, intern_text(&counts->objects, object), function};
}

/* Returns the number in COUNTS of a function of another build, or NOWHERE. */
static uint32_t match_build(struct arccounts *counts, const struct index *known,
                            const struct arctables_function *function)
{
    uint32_t object = object_of(counts, function), number;
    if (!index_get(known, object, function->ident, 0, &number)) {
        add_change(counts, ARCCOUNTS_GONE, function);
        return NOWHERE;
    }
    counts->functions[number].in_other_build = true;
    if (is_same_graph(counts->functions[number].description, function))
        return number;
    add_change(counts, ARCCOUNTS_CHANGED, function);
    return NOWHERE;
}

/* Reports the functions of the first build that no other build has. */
static void find_new(struct arccounts *counts, const struct profile *profile,
                     const uint32_t *numbers)
{
    const struct arctables *tables = &counts->tables[0];
    bool others = false;
    for (size_t i = 0; i < profile->modules.count; i++)
        others |= profile->modules.list[i].program;
    for (size_t i = 0; others && i < tables->functions.count; i++)
        if (numbers[i] != NOWHERE && !counts->functions[numbers[i]].in_other_build)
            add_change(counts, ARCCOUNTS_NEW, &tables->functions.list[i]);
}

/* Returns the number of the function in COUNTS, or NOWHERE if COUNTS has a different
   function with the same object and ident. */
static uint32_t find_or_add(struct arccounts *counts, struct index *known,
                            const struct arctables *tables,
                            const struct arctables_function *function)
{
    bool fresh;
    uint32_t object = object_of(counts, function);
    uint32_t number = index_put(known, object, function->ident, 0, &fresh);
    if (fresh)
        BUF_NEXT(counts->functions, counts->count, counts->capacity) =
            (struct arccounts_function){.description = function,
                                        .tables = tables,
                                        .object = object,
                                        .counts =
                                            buf_alloc(function->arcs * sizeof(int64_t))};
    if (is_same_graph(counts->functions[number].description, function))
        return number;
    counts->contradicted++;
    return NOWHERE;
}

/* Adds the counts of a module. Returns, for each function of the module, its number
   in COUNTS, or NOWHERE if the function is left out. The caller frees the result. */
static uint32_t *solve_module(struct arccounts *counts, struct index *known,
                              const struct profile *profile, uint32_t module)
{
    const struct arctables *tables = &counts->tables[module];
    bool other = module < profile->modules.count && profile->modules.list[module].program;
    BUF_OWN size_t *first = buf_alloc((tables->functions.count + 1) * sizeof *first);
    for (size_t i = 0; i < tables->functions.count; i++)
        first[i + 1] = first[i] + tables->functions.list[i].arcs;
    BUF_OWN int64_t *sums =
        flowsums_add_up(tables->counters.list, tables->counters.count, profile, module,
                        first, first[tables->functions.count]);
    uint32_t *numbers = buf_alloc((tables->functions.count + 1) * sizeof *numbers);
    for (size_t i = 0; i < tables->functions.count; i++) {
        const struct arctables_function *description = &tables->functions.list[i];
        numbers[i] = other ? match_build(counts, known, description)
                           : find_or_add(counts, known, tables, description);
        if (numbers[i] == NOWHERE)
            continue;
        struct arccounts_function *function = &counts->functions[numbers[i]];
        for (uint32_t k = 0; k < description->arcs; k++)
            function->counts[k] =
                flowsums_clamp((__int128)function->counts[k] + sums[first[i] + k]);
    }
    return numbers;
}

/* Indexes by module and address: VALUES finds the function whose values the runtime
   stores at an address, CALLEES the function that starts there. */
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
        values += counts->tables[i].values.count;
        callees += counts->tables[i].callees.count;
    }
    places->value_of = buf_alloc((values + 1) * sizeof *places->value_of);
    places->callee_of = buf_alloc((callees + 1) * sizeof *places->callee_of);
    for (uint32_t i = 0; i < counts->table_count; i++) {
        const struct arctables *tables = &counts->tables[i];
        for (size_t k = 0; k < tables->values.count; k++) {
            const struct arctables_value *value = &tables->values.list[k];
            places->value_of[index_put(&places->values, i, value->address, 0, &fresh)] =
                value;
        }
        for (size_t k = 0; k < tables->callees.count; k++) {
            const struct arctables_callee *callee = &tables->callees.list[k];
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

/* Sets *VALUE to the value of a target. For a call, the value is the ident of the
   called function. The function must have a profile, because GCC knows no other
   functions. For a list, the value is the number of the element. Returns false if the
   target has no such value. */
static bool value_of(const struct places *places, const struct profile_target *target,
                     bool is_call, uint32_t *value)
{
    uint32_t callee;
    if (is_call) {
        if (!index_get(&places->callees, target->module, target->address, 0, &callee))
            return false;
        *value = places->callee_of[callee]->ident;
        return true;
    }
    *value = (uint32_t)target->address - 1;
    return target->module == PROFILE_NO_MODULE && target->address - 1 <= CCPROF_LIST_MOST;
}

static void add_target(struct arccounts *counts, uint32_t *const *numbers,
                       const struct places *places, const struct profile_target *target)
{
    uint32_t number, value;
    if (!index_get(&places->values, target->site_module, target->site, 0, &number))
        return;
    const struct arctables_value *noted = places->value_of[number];
    const struct arctables_function *description =
        &counts->tables[target->site_module].functions.list[noted->function];
    uint32_t function_number = numbers[target->site_module][noted->function];
    /* The same graph may have other calls in another build. */
    if (function_number == NOWHERE || noted->call == 0 ||
        counts->functions[function_number].description->indirect !=
            description->indirect ||
        counts->functions[function_number].description->lists != description->lists)
        return;
    struct arccounts_function *function = &counts->functions[function_number];
    if (value_of(places, target, noted->call <= description->indirect, &value)) {
        BUF_PUSH(function->values) = (struct arccounts_value){
            noted->call - 1, value, (uint64_t)flowsums_clamp(target->count)};
    }
}

static void find_first_executions(struct arccounts *counts, uint32_t *const *numbers,
                                  const struct profile *profile, uint32_t module)
{
    const struct arctables *tables = &counts->tables[module];
    for (size_t i = 0; i < tables->values.count; i++) {
        const struct arctables_value *value = &tables->values.list[i];
        uint32_t number = numbers[module][value->function];
        if (value->call || number == NOWHERE)
            continue;
        uint64_t counted = profile_count_of(profile, module, value->address);
        uint64_t first = CCPROF_FIRST_MOST - counted;
        uint64_t *known = &counts->functions[number].first;
        if (counted && counted < CCPROF_FIRST_MOST && (!*known || first < *known))
            *known = first;
    }
}

BUF_COMPARE(by_value, struct arccounts_value,
            BUF_ORDER(a->counter, b->counter) ?: BUF_ORDER(a->value, b->value))

BUF_COMPARE(by_count, struct arccounts_value, BUF_ORDER(a->counter, b->counter) ?:
            BUF_ORDER(b->count, a->count) ?: BUF_ORDER(a->value, b->value))

static void sort_values(struct arccounts_function *function)
{
    struct arccounts_value *values = function->values.list;
    size_t kept = 0;
    if (!values)
        return;
    BUF_SORT(values, function->values.count, by_value);
    for (size_t i = 0; i < function->values.count; i++)
        if (kept && by_value(&values[kept - 1], &values[i]) == 0)
            values[kept - 1].count = (uint64_t)flowsums_clamp(
                (__int128)values[kept - 1].count + values[i].count);
        else
            values[kept++] = values[i];
    function->values.count = kept;
    BUF_SORT(values, kept, by_count);
}

static void add_values(struct arccounts *counts, uint32_t *const *numbers,
                       const struct profile *profile)
{
    struct places places = {0};
    find_places(&places, counts);
    for (size_t i = 0; i < profile->counts.targets.count; i++)
        add_target(counts, numbers, &places, &profile->counts.targets.list[i]);
    for (uint32_t i = 0; i < counts->table_count; i++)
        find_first_executions(counts, numbers, profile, i);
    for (size_t i = 0; i < counts->count; i++)
        sort_values(&counts->functions[i]);
    free_places(&places);
}

/* Adds up the runs of each object over all modules that contain the object. A copy of
   GCC's runtime is in the executable and in each shared object, and each copy counts
   its own runs. The file of an object gets the sum over all modules that contain the
   object (libgcov-driver.c, dump_one_gcov). */
static void find_runs(struct arccounts *counts, uint32_t *const *numbers,
                      const struct profile *profile)
{
    size_t objects = counts->objects.count;
    BUF_OWN uint32_t *last = buf_alloc((objects + 1) * sizeof *last);
    counts->runs = buf_alloc((objects + 1) * sizeof *counts->runs);
    for (uint32_t i = 0; i < counts->table_count && i < profile->modules.count; i++) {
        const struct profile_module *module = &profile->modules.list[i];
        for (size_t k = 0; k < counts->tables[i].functions.count; k++) {
            if (numbers[i][k] == NOWHERE)
                continue;
            size_t object = counts->functions[numbers[i][k]].object;
            if (last[object] == i + 1)
                continue;
            last[object] = i + 1;
            struct arccounts_runs *runs = &counts->runs[object];
            runs->count = saturate_add(runs->count, module->runs);
            runs->peaks = saturate_add(runs->peaks, module->peaks);
        }
    }
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

static void finish_function(struct arccounts *counts, struct arccounts_function *function)
{
    const struct arctables_function *description = function->description;
    if (description->blocks)
        function->times = buf_alloc(description->blocks * sizeof *function->times);
    counts->mended += !arcgraph_make_consistent(function->tables, description,
                                                function->counts, function->times);
    for (uint32_t i = 0; i < description->arcs; i++)
        function->executed |= function->counts[i] > 0;
    /* If the tables have no graph of a function, its only arc is its entry. */
    function->entered =
        description->blocks > 1 ? function->times[0] : (uint64_t)function->counts[0];
}

bool arccounts_solve(struct arccounts *counts, const struct profile *profile,
                     const struct program *program, const struct source_paths *moved,
                     struct fault *fault)
{
    struct index known = {0};
    memset(counts, 0, sizeof *counts);
    counts->moved = moved;
    if (!read_tables(counts, program, fault))
        return false;
    uint32_t **numbers = buf_alloc((counts->table_count + 1) * sizeof *numbers);
    for (uint32_t i = 0; i < counts->table_count; i++)
        numbers[i] = solve_module(counts, &known, profile, i);
    if (counts->table_count)
        find_new(counts, profile, numbers[0]);
    add_values(counts, numbers, profile);
    find_runs(counts, numbers, profile);
    for (uint32_t i = 0; i < counts->table_count; i++)
        free(numbers[i]);
    free(numbers);
    for (size_t i = 0; i < counts->count; i++)
        finish_function(counts, &counts->functions[i]);
    index_free(&known);
    return true;
}

bool arccounts_any(const struct arccounts *counts, const char *program,
                   struct fault *fault)
{
    return counts->count || fault_set(fault, FAULT_UNPROFILED, program,
                                      "its arcs are not counted; compile with "
                                      "-fplugin-arg-ccprof-train");
}

void arccounts_free(struct arccounts *counts)
{
    for (size_t i = 0; i < counts->count; i++) {
        free(counts->functions[i].counts);
        free(counts->functions[i].times);
        free(counts->functions[i].values.list);
    }
    for (size_t i = 0; i < counts->table_count; i++)
        arctables_free(&counts->tables[i]);
    free(counts->functions);
    free(counts->changes.list);
    index_free(&counts->change_index);
    free(counts->tables);
    intern_free(&counts->objects);
    free(counts->runs);
    memset(counts, 0, sizeof *counts);
}
