/* SPDX-License-Identifier: MIT */
/* Reads the counters of shared objects: the module's own storage, or the copy that a
   thread was given, at a distance that a thread-local word of the module holds.  */

#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "rt/os/pages.h"
#include "rt/count/counts-lists.h"
#include "rt/count/path.h"

/* What the thread adds to the address of a counter of the module.  */
static uintptr_t *counts_delta(const struct ccprof_counts_module *module,
                               const struct ccprof_counts_thread *thread)
{
    return (uintptr_t *)(thread->pointer + module->distance);
}

/* The thread's storage for the module; the module's own if it has none.  */
static uint64_t *counts_of(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread)
{
    uintptr_t delta = __atomic_load_n(counts_delta(module, thread), __ATOMIC_RELAXED);
    return (uint64_t *)((uintptr_t)module->storage + delta);
}

static void counts_set(const struct ccprof_counts_module *module,
                       const struct ccprof_counts_thread *thread, const uint64_t *storage)
{
    uintptr_t delta = (uintptr_t)storage - (uintptr_t)module->storage;
    __atomic_store_n(counts_delta(module, thread), delta, __ATOMIC_RELAXED);
}

static void counts_give(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread)
{
    uint64_t *storage = ccprof_pages_map(module->count * sizeof *storage);

    if (storage)
        counts_set(module, thread, storage);
}

/* From now on the thread counts in the totals, should it still do so.  Returns the bytes
   of its storage.  */
static size_t counts_leave(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread, uint64_t *storage)
{
    size_t size = module->count * sizeof *storage;

    counts_set(module, thread, module->totals);
    ccprof_path_forget(thread->pointer, storage, size);
    return size;
}

static void counts_take(const struct ccprof_counts_module *module,
                        const struct ccprof_counts_thread *thread)
{
    uint64_t *storage = counts_of(module, thread);

    if (storage == module->storage)
        return;
    for (size_t i = 0; i < module->count; i++)
        module->totals[i] += storage[i];
    munmap(storage, counts_leave(module, thread, storage));
}

static uint64_t counts_load(const uint64_t *count)
{
    return __atomic_load_n(count, __ATOMIC_RELAXED);
}

static uint64_t counts_own(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread, size_t i)
{
    const uint64_t *storage = counts_of(module, thread);
    return storage == module->storage ? 0 : counts_load(&storage[i]);
}

static uint64_t counts_shared(const struct ccprof_counts_module *module, size_t i)
{
    return counts_load(&module->storage[i]);
}

/* Where the program exits other threads go on, and one may just have read where to count:
   the addresses stay, without memory behind them.  */
static void counts_share(const struct ccprof_counts_module *module)
{
    for (const struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next) {
        uint64_t *storage = counts_of(module, t);
        if (storage != module->storage)
            madvise(storage, counts_leave(module, t, storage), MADV_DONTNEED);
    }
}

static void counts_zero(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread)
{
    size_t size = module->count * sizeof *module->storage;

    memset(counts_of(module, thread), 0, size);
    memset(module->storage, 0, size);
}

const struct ccprof_counts_form ccprof_counts_storage = {.words = 1,
                                                         .give = counts_give,
                                                         .take = counts_take,
                                                         .own = counts_own,
                                                         .shared = counts_shared,
                                                         .share = counts_share,
                                                         .zero = counts_zero};
