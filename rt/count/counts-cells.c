/* SPDX-License-Identifier: MIT */
/* Counters of shared objects: the module's own cells, or the copy that a thread was
   given, at a distance that a thread-local word of the module holds.  */

#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "rt/count/counts-store.h"

/* What the thread adds to the address of a cell of the module.  */
static uintptr_t *counts_delta(const struct ccprof_counts_module *module,
                               const struct ccprof_counts_thread *thread)
{
    return (uintptr_t *)(thread->pointer + module->distance);
}

/* The thread's cells of the module; the module's own if it has none.  */
static uint64_t *counts_of(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread)
{
    uintptr_t delta = __atomic_load_n(counts_delta(module, thread), __ATOMIC_RELAXED);
    return (uint64_t *)((uintptr_t)module->cells + delta);
}

static void counts_set(const struct ccprof_counts_module *module,
                       const struct ccprof_counts_thread *thread, const uint64_t *cells)
{
    uintptr_t delta = (uintptr_t)cells - (uintptr_t)module->cells;
    __atomic_store_n(counts_delta(module, thread), delta, __ATOMIC_RELAXED);
}

static void counts_give(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread)
{
    uint64_t *cells = ccprof_counts_pages(module->count * sizeof *cells);

    if (cells)
        counts_set(module, thread, cells);
}

/* From now on the thread counts in the totals, should it still do so.  */
static void counts_take(const struct ccprof_counts_module *module,
                        const struct ccprof_counts_thread *thread)
{
    uint64_t *cells = counts_of(module, thread);

    if (cells == module->cells)
        return;
    for (size_t i = 0; i < module->count; i++)
        module->totals[i] += cells[i];
    counts_set(module, thread, module->totals);
    munmap(cells, module->count * sizeof *cells);
}

static uint64_t counts_load(const uint64_t *count)
{
    return __atomic_load_n(count, __ATOMIC_RELAXED);
}

static uint64_t counts_own(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread, size_t i)
{
    const uint64_t *cells = counts_of(module, thread);
    return cells == module->cells ? 0 : counts_load(&cells[i]);
}

static uint64_t counts_shared(const struct ccprof_counts_module *module, size_t i)
{
    return counts_load(&module->cells[i]);
}

static void counts_share(const struct ccprof_counts_module *module)
{
    for (const struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next) {
        uint64_t *cells = counts_of(module, t);
        if (cells == module->cells)
            continue;
        counts_set(module, t, module->totals);
        munmap(cells, module->count * sizeof *cells);
    }
}

static void counts_zero(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread)
{
    size_t size = module->count * sizeof *module->cells;

    memset(counts_of(module, thread), 0, size);
    memset(module->cells, 0, size);
}

const struct ccprof_counts_form ccprof_counts_cells = {.words = 1,
                                                       .give = counts_give,
                                                       .take = counts_take,
                                                       .own = counts_own,
                                                       .shared = counts_shared,
                                                       .share = counts_share,
                                                       .zero = counts_zero};
