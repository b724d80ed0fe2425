/* SPDX-License-Identifier: MIT */
/* Reads the counters of executables: thread-local words, whose offsets are in records.
   Each thread, registered or not, has its own.  Owns nothing.  Called under the lock of
   counts-lists.h.  */

#include "rt/count/counts-lists.h"

/* Returns the thread's word for record I.  */
static uint64_t *records_of(const struct ccprof_counts_module *module,
                            const struct ccprof_counts_thread *thread, size_t i)
{
    intptr_t offset = (int32_t)module->storage[i];
    uintptr_t from = thread->pointer + (offset < 0 ? 0 : module->distance);
    return (uint64_t *)(from + (uintptr_t)offset);
}

static void records_take(const struct ccprof_counts_module *module,
                         const struct ccprof_counts_thread *thread)
{
    for (size_t i = 0; i < module->count; i++) {
        uint64_t *count = records_of(module, thread, i);
        module->totals[i] += *count;
        *count = 0;
    }
}

static uint64_t records_own(const struct ccprof_counts_module *module,
                            const struct ccprof_counts_thread *thread, size_t i)
{
    return __atomic_load_n(records_of(module, thread, i), __ATOMIC_RELAXED);
}

static void records_zero(const struct ccprof_counts_module *module,
                         struct ccprof_counts_thread *thread)
{
    records_take(module, thread);
}

const struct ccprof_counts_form ccprof_counts_records = {.words = 1,
                                                         .is_private = true,
                                                         .take = records_take,
                                                         .own = records_own,
                                                         .zero = records_zero};
