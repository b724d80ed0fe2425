/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes values of one run that a sum of runs does not have: the most executed arc,
   the order of first executions, and the calls of first targets (struct arcruns).
   input/datafiles.c calls it for each data file. */

#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/flow/arccounts.h"
#include "mlprof/flow/flowcounts.h"
#include "mlprof/tables/arctables.h"
#include "rt/format.h"

#include <stdlib.h>
#include <string.h>

struct arcruns_module {
    struct tables *opened; /* NULL: the tables belong to the caller, or are missing */
    struct arctables arcs; /* its counters and values, sorted by address */
    size_t *offsets;       /* by function: index of its first arc in SUMS */
    /* Data of the current run: the count of each arc, and the list of the arcs whose
       count may differ from 0. */
    __int128 *sums;
    size_t *touched, touched_count, touched_capacity;
    /* By function: number of executions of each block in the current run. NULL: not
       yet computed. */
    uint64_t **times;
};

BUF_COMPARE(by_counter, struct edgeterms_counter, BUF_ORDER(a->address, b->address))

BUF_COMPARE(by_value, struct arctables_value, BUF_ORDER(a->address, b->address))

/* Sorts the counters and values of the tables, and allocates memory for the counts of
   a run. */
static void prepare_module(struct arcruns_module *module)
{
    struct arctables *arcs = &module->arcs;
    size_t count = arcs->functions.count;
    module->offsets = buf_alloc((count + 1) * sizeof *module->offsets);
    for (size_t i = 0; i < count; i++)
        module->offsets[i + 1] = module->offsets[i] + arcs->functions.list[i].arcs;
    module->sums = buf_alloc((module->offsets[count] + 1) * sizeof *module->sums);
    module->times = buf_alloc((count + 1) * sizeof *module->times);
    BUF_SORT(arcs->counters.list, arcs->counters.count, by_counter);
    BUF_SORT(arcs->values.list, arcs->values.count, by_value);
}

/* Returns the value at ADDRESS, or NULL if there is none. */
static const struct arctables_value *value_at(const struct arcruns_module *module,
                                              uint64_t address)
{
    const struct arctables_value key = {.address = address};
    const struct arctables *arcs = &module->arcs;
    return arcs->values.count ? bsearch(&key, arcs->values.list, arcs->values.count,
                                        sizeof *arcs->values.list, by_value)
                              : NULL;
}

/* Returns the tables of the module, or NULL if they are missing or belong to another
   build. EXECUTABLE is NULL unless the module is the executable. */
static const struct tables *find_tables(struct arcruns_module *module,
                                        const struct profile_module *measured,
                                        const struct tables *executable)
{
    struct fault fault = {0};
    if (executable)
        return executable;
    module->opened = tables_open(measured->path, &fault);
    fault_clear(&fault);
    return module->opened && elffile_same_build_id(tables_build_id(module->opened),
                                                   measured->build_id)
               ? module->opened
               : NULL;
}

static struct arcruns_module *module_of(struct arcruns *runs,
                                        const struct profile_module *measured,
                                        const struct tables *executable)
{
    struct fault fault = {0};
    char *key = buf_format("%s\n%s", measured->path,
                           measured->build_id ? measured->build_id : "");
    uint32_t number = intern_put(&runs->keys, key);
    free(key);
    if (number < runs->count)
        return &runs->modules[number];
    struct arcruns_module *module = &BUF_NEXT(runs->modules, runs->count, runs->capacity);
    memset(module, 0, sizeof *module);
    const struct tables *tables = find_tables(module, measured, executable);
    if (tables && !arctables_read(&module->arcs, tables, &fault)) {
        arctables_free(&module->arcs);
        memset(&module->arcs, 0, sizeof module->arcs);
    }
    fault_clear(&fault);
    prepare_module(module);
    return module;
}

static void add_to_arc(struct arcruns_module *module, size_t arc, __int128 count)
{
    if (!module->sums[arc]) {
        BUF_NEXT(module->touched, module->touched_count, module->touched_capacity) = arc;
    }
    module->sums[arc] += count;
}

/* Adds the value of COUNTER to the counts of the arcs that depend on it. */
static void add_up(struct arcruns_module *module, const struct profile_counter *counter)
{
    size_t low, count = module->arcs.counters.count;
    BUF_SEARCH(low, count, i, module->arcs.counters.list[i].address < counter->address);
    for (; low < count && module->arcs.counters.list[low].address == counter->address;
         low++) {
        const struct edgeterms_counter *term = &module->arcs.counters.list[low];
        __int128 part = counter->count;
        add_to_arc(module, module->offsets[term->flow] + term->edge,
                   term->negative ? -part : part);
    }
}

/* Returns the count of the most executed arc. Resets all counts to 0. */
static uint64_t take_peak(struct arcruns_module *module)
{
    __int128 most = 0;
    for (size_t i = 0; i < module->touched_count; i++) {
        __int128 *sum = &module->sums[module->touched[i]];
        most = *sum > most ? *sum : most;
        *sum = 0;
    }
    module->touched_count = 0;
    return most > UINT64_MAX ? UINT64_MAX : (uint64_t)most;
}

/* Returns how often each block of the function was executed in the current run. */
static const uint64_t *block_executions(struct arcruns_module *module, uint32_t number)
{
    const struct arctables_function *function = &module->arcs.functions.list[number];
    if (module->times[number])
        return module->times[number];
    uint64_t *times = buf_alloc((function->blocks + (size_t)1) * sizeof *times);
    BUF_OWN int64_t *counts = buf_alloc(function->arcs * sizeof *counts);
    for (uint32_t i = 0; i < function->arcs; i++)
        counts[i] = flowsums_clamp(module->sums[module->offsets[number] + i]);
    arcgraph_make_consistent(&module->arcs, function, counts,
                             function->blocks ? times : NULL);
    if (!function->blocks)
        times[0] = (uint64_t)counts[0];
    return module->times[number] = times;
}

/* Returns how often the call or list operand described by SITE was executed. */
static uint64_t executions(struct arcruns_module *module,
                           const struct arctables_value *site)
{
    const struct arctables *arcs = &module->arcs;
    const struct arctables_function *function = &arcs->functions.list[site->function];
    size_t number = site->call - 1;
    uint32_t block =
        number < function->indirect
            ? arcs->calls.list[function->first_call + number].block
            : arcs->lists.list[function->first_list + number - function->indirect].block;
    return block_executions(module, site->function)[block];
}

/* For each site of the run: the number of calls of all targets except the first one. */
struct other_targets {
    struct index sites; /* key: module and site */
    uint64_t *calls;
};

static void add_other_targets(struct other_targets *other_targets,
                              const struct profile *run)
{
    bool fresh;
    other_targets->calls =
        buf_alloc((run->counts.targets.count + 1) * sizeof *other_targets->calls);
    for (size_t i = 0; i < run->counts.targets.count; i++) {
        const struct profile_target *target = &run->counts.targets.list[i];
        uint64_t *calls = &other_targets->calls[index_put(
            &other_targets->sites, target->site_module, target->site, 0, &fresh)];
        *calls = saturate_add(*calls, target->count);
    }
}

/* Turns the first target of each site into a normal target with a number of calls.
   These are the executions of the site minus the calls of all other targets of the
   site. NUMBERS has, by module, 1 plus the index in RUNS, or 0 if all counters of the
   module are 0, so that its sites were not executed. */
static void add_rests(struct arcruns *runs, struct profile *run, const size_t *numbers)
{
    struct other_targets other_targets = {0};
    if (!run->counts.rests.count)
        return;
    add_other_targets(&other_targets, run);
    for (size_t i = 0; i < run->counts.rests.count; i++) {
        const struct profile_target *rest = &run->counts.rests.list[i];
        uint32_t other;
        if (rest->site_module == PROFILE_NO_MODULE || !numbers[rest->site_module])
            continue;
        struct arcruns_module *module = &runs->modules[numbers[rest->site_module] - 1];
        const struct arctables_value *site = value_at(module, rest->site);
        if (!site || site->call == 0)
            continue;
        uint64_t times = executions(module, site), of_others = 0;
        if (index_get(&other_targets.sites, rest->site_module, rest->site, 0, &other))
            of_others = other_targets.calls[other];
        if (times > of_others)
            profile_add_target(run, rest, times - of_others);
    }
    run->counts.rests.count = 0;
    index_free(&other_targets.sites);
    free(other_targets.calls);
}

static void free_times(struct arcruns_module *module)
{
    for (size_t i = 0; i < module->arcs.functions.count; i++) {
        free(module->times[i]);
        module->times[i] = NULL;
    }
}

void arcruns_note(struct arcruns *runs, struct profile *run,
                  const struct tables *executable)
{
    /* Modules without counters are skipped. */
    BUF_OWN size_t *numbers = buf_alloc((run->modules.count + 1) * sizeof *numbers);
    for (size_t i = 0; i < run->counts.counters.count; i++) {
        const struct profile_counter *counter = &run->counts.counters.list[i];
        const struct profile_module *measured = &run->modules.list[counter->module];
        size_t *number = &numbers[counter->module];
        if (!*number) {
            const struct arcruns_module *found =
                module_of(runs, measured, counter->module ? NULL : executable);
            *number = (size_t)(found - runs->modules) + 1;
        }
        struct arcruns_module *module = &runs->modules[*number - 1];
        add_up(module, counter);
        const struct arctables_value *value = value_at(module, counter->address);
        if (value && value->call == 0) {
            /* If a module was loaded several times in a run, the counter has the sum
               of several first executions. Keep their mean. */
            uint64_t most = CCPROF_FIRST_MOST, counted = counter->count;
            uint64_t times = counted / most + (counted % most != 0);
            if (times)
                profile_keep_most(run, counter->module, counter->address,
                                  counted / times);
        }
    }
    add_rests(runs, run, numbers);
    for (size_t i = 0; i < run->modules.count; i++) {
        run->modules.list[i].runs = 1;
        run->modules.list[i].peaks = 0;
        if (!numbers[i])
            continue;
        free_times(&runs->modules[numbers[i] - 1]);
        run->modules.list[i].peaks = take_peak(&runs->modules[numbers[i] - 1]);
    }
}

void arcruns_free(struct arcruns *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        struct arcruns_module *module = &runs->modules[i];
        arctables_free(&module->arcs);
        tables_close(module->opened);
        free(module->times);
        free(module->offsets);
        free(module->sums);
        free(module->touched);
    }
    free(runs->modules);
    intern_free(&runs->keys);
}
