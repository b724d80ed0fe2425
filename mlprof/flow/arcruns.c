/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flow/arcruns.h"
#include "mlprof/base/buf.h"
#include "mlprof/tables/arctables.h"
#include "rt/format.h"

#include <stdlib.h>
#include <string.h>

struct arcruns_module {
    struct tables *own; /* NULL: they are another's, or there are none */
    struct arctables arcs;
    struct edgeterms_counter *terms; /* those of ARCS by address */
    uint64_t *firsts;                /* addresses of counters of first executions */
    size_t first_count;
    size_t *offsets; /* by function: its first arc among those of all */
    /* Of the run that is noted: by arc the count, and those that may not be 0.  */
    __int128 *sums;
    size_t *touched, touched_count, touched_capacity;
};

static int by_address(const void *one, const void *other)
{
    const struct edgeterms_counter *a = one, *b = other;
    return (a->address > b->address) - (a->address < b->address);
}

static int by_number(const void *one, const void *other)
{
    const uint64_t *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

/* Sorts what the tables say of the counters.  */
static void sort(struct arcruns_module *module)
{
    const struct arctables *arcs = &module->arcs;
    size_t count = arcs->counter_count;
    module->offsets = buf_alloc((arcs->function_count + 1) * sizeof *module->offsets);
    for (size_t i = 0; i < arcs->function_count; i++)
        module->offsets[i + 1] = module->offsets[i] + arcs->functions[i].arcs;
    module->sums =
        buf_alloc((module->offsets[arcs->function_count] + 1) * sizeof *module->sums);
    module->terms = buf_alloc((count + 1) * sizeof *module->terms);
    for (size_t i = 0; i < count; i++)
        module->terms[i] = arcs->counters[i];
    qsort(module->terms, count, sizeof *module->terms, by_address);
    module->firsts = buf_alloc((arcs->value_count + 1) * sizeof *module->firsts);
    for (size_t i = 0; i < arcs->value_count; i++)
        if (arcs->values[i].call == 0)
            module->firsts[module->first_count++] = arcs->values[i].address;
    qsort(module->firsts, module->first_count, sizeof *module->firsts, by_number);
}

/* The tables of the module; NULL: there are none that are right.  EXECUTABLE is NULL
   unless the module is it.  */
static const struct tables *find_tables(struct arcruns_module *module,
                                        const struct profile_module *measured,
                                        const struct tables *executable)
{
    struct fault fault = {0};
    if (executable)
        return executable;
    module->own = tables_open(measured->path, &fault);
    fault_clear(&fault);
    return module->own &&
                   elffile_same_build_id(tables_build_id(module->own), measured->build_id)
               ? module->own
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
    runs->modules =
        buf_grow(runs->modules, &runs->capacity, runs->count + 1, sizeof *runs->modules);
    struct arcruns_module *module = &runs->modules[runs->count++];
    memset(module, 0, sizeof *module);
    const struct tables *tables = find_tables(module, measured, executable);
    if (tables && !arctables_read(&module->arcs, tables, &fault)) {
        arctables_free(&module->arcs);
        memset(&module->arcs, 0, sizeof module->arcs);
    }
    fault_clear(&fault);
    sort(module);
    return module;
}

static void touch(struct arcruns_module *module, size_t arc, __int128 count)
{
    if (!module->sums[arc]) {
        module->touched = buf_grow(module->touched, &module->touched_capacity,
                                   module->touched_count + 1, sizeof *module->touched);
        module->touched[module->touched_count++] = arc;
    }
    module->sums[arc] += count;
}

/* Adds the counter's count to the arcs that have it.  */
static void add_up(struct arcruns_module *module, const struct profile_counter *counter)
{
    size_t low = 0, count = module->arcs.counter_count, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (module->terms[middle].address < counter->address)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && module->terms[low].address == counter->address; low++) {
        const struct edgeterms_counter *term = &module->terms[low];
        __int128 part = counter->count;
        touch(module, module->offsets[term->flow] + term->edge,
              term->negative ? -part : part);
    }
}

/* The count of the arc that was executed most; all are 0 afterwards.  */
static uint64_t peak(struct arcruns_module *module)
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

/* A module that was opened several times in a run has executed its functions for the
   first time as often: what is kept is the mean.  */
static void keep_first(struct profile *run, const struct profile_counter *counter)
{
    uint64_t most = CCPROF_FIRST_MOST, counted = counter->count;
    uint64_t times = counted / most + (counted % most != 0);
    if (times)
        profile_keep_most(run, counter->module, counter->address, counted / times);
}

void arcruns_note(struct arcruns *runs, struct profile *run,
                  const struct tables *executable)
{
    /* Modules without counters are not looked at.  */
    size_t *numbers = buf_alloc((run->module_count + 1) * sizeof *numbers);
    for (size_t i = 0; i < run->counter_count; i++) {
        const struct profile_counter *counter = &run->counters[i];
        const struct profile_module *measured = &run->modules[counter->module];
        size_t *number = &numbers[counter->module];
        if (!*number) {
            const struct arcruns_module *found =
                module_of(runs, measured, counter->module ? NULL : executable);
            *number = (size_t)(found - runs->modules) + 1;
        }
        struct arcruns_module *module = &runs->modules[*number - 1];
        add_up(module, counter);
        if (module->first_count &&
            bsearch(&counter->address, module->firsts, module->first_count,
                    sizeof *module->firsts, by_number))
            keep_first(run, counter);
    }
    for (size_t i = 0; i < run->module_count; i++) {
        run->modules[i].runs = 1;
        run->modules[i].peaks = numbers[i] ? peak(&runs->modules[numbers[i] - 1]) : 0;
    }
    free(numbers);
}

void arcruns_free(struct arcruns *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        struct arcruns_module *module = &runs->modules[i];
        arctables_free(&module->arcs);
        tables_close(module->own);
        free(module->terms);
        free(module->firsts);
        free(module->offsets);
        free(module->sums);
        free(module->touched);
    }
    free(runs->modules);
    intern_free(&runs->keys);
}
