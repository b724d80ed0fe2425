/* SPDX-License-Identifier: MIT */
/* Reads the counters of shared objects.  A registered thread counts in a copy of the
   module's storage; a word of the thread for this module holds the distance to this copy:
   in the thread's table (counts-words.h), or thread-local, or both.
   Other threads count in the module's own storage.  Owns the copies.  Called under the
   lock of counts-lists.h.  */

#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "rt/os/memory.h"
#include "rt/count/counts-lists.h"
#include "rt/count/counts-words.h"
#include "rt/count/path.h"

/* Returns the thread-local word that the thread adds to the address of a counter.  */
static uintptr_t *counts_word(const struct ccprof_counts_module *module,
                              const struct ccprof_counts_thread *thread)
{
    return (uintptr_t *)(thread->pointer + module->distance);
}

/* Returns the same word in the thread's table.  */
static uintptr_t *counts_placed(const struct ccprof_counts_module *module,
                                const struct ccprof_counts_thread *thread)
{
    return &ccprof_counts_words_of(module, thread)->delta;
}

/* Returns the thread's copy; the module's own storage if the thread has none.  */
static uint64_t *counts_of(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread)
{
    const uintptr_t *word =
        module->place ? counts_placed(module, thread) : counts_word(module, thread);
    uintptr_t delta = __atomic_load_n(word, __ATOMIC_RELAXED);
    return (uint64_t *)((uintptr_t)module->storage + delta);
}

static void counts_set(const struct ccprof_counts_module *module,
                       const struct ccprof_counts_thread *thread, const uint64_t *storage)
{
    uintptr_t delta = (uintptr_t)storage - (uintptr_t)module->storage;
    if (module->has_word)
        __atomic_store_n(counts_word(module, thread), delta, __ATOMIC_RELAXED);
    if (module->place)
        __atomic_store_n(counts_placed(module, thread), delta, __ATOMIC_RELAXED);
}

static void counts_give(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread)
{
    uint64_t *storage;

    if (module->place && !ccprof_counts_words_make(thread))
        return;
    storage = ccprof_pages_map(module->count * sizeof *storage);
    if (storage)
        counts_set(module, thread, storage);
}

/* Lets the thread count in the totals from now on, in case it still counts.  Returns the
   bytes of its copy.  */
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
    size_t size = counts_leave(module, thread, storage);
    if (!thread->goes_on)
        munmap(storage, size);
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

/* When the program exits, other threads go on, and a thread may have just read the
   distance to its copy.  So the copies stay mapped, without memory behind them.  */
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
