/* SPDX-License-Identifier: MIT */
/* Owns the list of modules with counters, the list of registered threads, and the
   lock.  */

#include "rt/count/counts-lists.h"
#include "rt/os/lock.h"

/* Nanoseconds to wait for the lock, since a fatal signal may have cut off its holder.  */
#define COUNTS_PATIENCE 10000000000u

struct ccprof_counts_module *ccprof_counts_modules;
_Atomic unsigned ccprof_counts_module_count;
struct ccprof_modules *ccprof_counts_loaded;

struct ccprof_counts_thread *ccprof_counts_list;

static ccprof_lock busy;

bool ccprof_counts_lock(void)
{
    static _Atomic bool gone; /* the holder was cut off: nobody waits for it again */
    bool good = ccprof_lock_wait(&busy, atomic_load(&gone) ? 0 : COUNTS_PATIENCE);

    atomic_store(&gone, !good);
    return good;
}

bool ccprof_counts_lock_try(void)
{
    return ccprof_lock_try(&busy);
}

void ccprof_counts_lock_take(void)
{
    ccprof_lock_take(&busy);
}

void ccprof_counts_unlock(void)
{
    ccprof_lock_release(&busy);
}

void ccprof_counts_give(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread)
{
    if (!module->unloaded && module->form->give)
        module->form->give(module, thread);
}

uint64_t ccprof_counts_own(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread, size_t i)
{
    return module->unloaded ? 0 : module->form->own(module, thread, i);
}

uint64_t ccprof_counts_shared(const struct ccprof_counts_module *module, size_t i)
{
    bool has_own = !module->unloaded && module->form->shared;
    return has_own ? module->form->shared(module, i) : 0;
}

bool ccprof_counts_number(struct ccprof_counts_module *module)
{
    if (module->number < 0)
        module->number =
            ccprof_modules_find(ccprof_counts_loaded, (uintptr_t)module->storage);
    return module->number >= 0;
}

uint64_t ccprof_counts_sum(const struct ccprof_counts_module *module, size_t i)
{
    uint64_t sum = module->totals[i] + ccprof_counts_shared(module, i);

    for (const struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        sum += ccprof_counts_own(module, t, i);
    return sum;
}

uintptr_t ccprof_counts_address(const struct ccprof_counts_module *module, size_t i)
{
    return (uintptr_t)&module->storage[module->form->words * i];
}
