/* SPDX-License-Identifier: MIT */
/* Owns the list of the threads that run, their cells, and the lock.  begin and end: the
   thread; each: where the profile is written.  The list of threads is locked while cells
   are given and taken.  */

#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "rt/count/counts.h"
#include "rt/format.h"
#include "rt/os/lock.h"
#include "rt/os/quiet.h"
#include "rt/os/sys.h"
#include "rt/count/counts-inside.h"
#include "rt/count/inclusive.h"

/* How long one waits for the list of threads, in nanoseconds, where the holder may be a
   thread that a fatal signal has cut off.  */
#define COUNTS_PATIENCE 100000000

struct ccprof_counts_thread *ccprof_counts_list;

static uint64_t thread_count, strays;
static ccprof_lock busy;
static __thread struct ccprof_counts_thread self;

bool ccprof_counts_lock(void)
{
    return ccprof_lock_wait(&busy, COUNTS_PATIENCE);
}

void ccprof_counts_unlock(void)
{
    ccprof_lock_release(&busy);
}

void *ccprof_counts_pages(size_t size)
{
    void *at =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static uint64_t *counts_cells(size_t count)
{
    return ccprof_counts_pages(count * sizeof(uint64_t));
}

/* Where the thread counts what the record is of.  */
static uint64_t *counts_of_record(const struct ccprof_counts_module *module,
                                  const struct ccprof_counts_thread *thread, size_t i)
{
    intptr_t offset = (int32_t)module->cells[i];
    uintptr_t from = thread->pointer + (offset < 0 ? 0 : module->distance);
    return (uint64_t *)(from + (uintptr_t)offset);
}

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

void ccprof_counts_give(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread)
{
    if (module->is_pair) {
        if (!module->unloaded)
            ccprof_inclusive_give(module, thread);
        return;
    }
    bool needs = !module->unloaded && !module->is_record;
    uint64_t *cells = needs ? counts_cells(module->count) : NULL;
    if (cells)
        counts_set(module, thread, cells);
}

/* From now on the thread counts in the totals, should it still do so.  */
static void counts_take_cells(const struct ccprof_counts_module *module,
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

static void counts_take_records(const struct ccprof_counts_module *module,
                                const struct ccprof_counts_thread *thread)
{
    for (size_t i = 0; i < module->count; i++) {
        uint64_t *count = counts_of_record(module, thread, i);
        module->totals[i] += *count;
        *count = 0;
    }
}

/* Adds what the thread has counted to the totals.  */
static void counts_take(const struct ccprof_counts_module *module,
                        const struct ccprof_counts_thread *thread)
{
    if (module->unloaded)
        return;
    if (module->is_record)
        counts_take_records(module, thread);
    else if (module->is_pair)
        ccprof_inclusive_take(module, thread);
    else
        counts_take_cells(module, thread);
}

static void counts_enlist(void)
{
    self.pointer = (uintptr_t)__builtin_thread_pointer();
    self.tid = ccprof_sys_gettid();
    self.next = ccprof_counts_list;
    self.at = &ccprof_counts_list;
    if (ccprof_counts_list)
        ccprof_counts_list->at = &self.next;
    ccprof_counts_list = &self;
    thread_count++;
}

static void counts_delist(void)
{
    *self.at = self.next;
    if (self.next)
        self.next->at = self.at;
    self.at = NULL;
}

bool ccprof_counts_thread_is_known(void)
{
    return self.at != NULL;
}

void ccprof_counts_thread_begin(uint64_t unit)
{
    if (self.at || !ccprof_counts_any())
        return;
    /* For sure: else what it counts would be lost.  */
    ccprof_lock_take(&busy);
    counts_enlist();
    if (self.stray) {
        ccprof_counts_stretch_tame(&self);
        self.stray = false;
        strays--;
    }
    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
        ccprof_counts_give(&ccprof_counts_modules[i], &self);
    ccprof_counts_stretch_unit(&self, unit);
    ccprof_counts_unlock();
}

void ccprof_counts_thread_end(void)
{
    if (!self.at)
        return;
    /* For sure: it must not stay in the list when its memory is not its own any more.  */
    ccprof_lock_take(&busy);
    ccprof_counts_stretch_end(&self);
    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
        counts_take(&ccprof_counts_modules[i], &self);
    ccprof_inclusive_end(&self);
    counts_delist();
    self.ended = true;
    ccprof_counts_unlock();
}

static uint64_t counts_load(const uint64_t *count)
{
    return __atomic_load_n(count, __ATOMIC_RELAXED);
}

uint64_t ccprof_counts_own(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread, size_t i)
{
    const uint64_t *cells;

    if (module->unloaded)
        return 0;
    if (module->is_record)
        return counts_load(counts_of_record(module, thread, i));
    if (module->is_pair)
        return ccprof_inclusive_own(module, thread, i);
    cells = counts_of(module, thread);
    return cells == module->cells ? 0 : counts_load(&cells[i]);
}

uint64_t ccprof_counts_shared(const struct ccprof_counts_module *module, size_t i)
{
    bool has_own = !module->unloaded && !module->is_record && !module->is_pair;
    return has_own ? counts_load(&module->cells[i]) : 0;
}

uint64_t ccprof_counts_sum(const struct ccprof_counts_module *module, size_t i)
{
    uint64_t sum = module->totals[i] + ccprof_counts_shared(module, i);

    for (const struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        sum += ccprof_counts_own(module, t, i);
    return sum;
}

uintptr_t ccprof_counts_place(const struct ccprof_counts_module *module, size_t i)
{
    return (uintptr_t)&module->cells[module->is_pair ? 2 * i : i];
}

void ccprof_counts_share(const struct ccprof_counts_module *module)
{
    for (const struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next) {
        uint64_t *cells = counts_of(module, t);
        if (cells == module->cells)
            continue;
        counts_set(module, t, module->totals);
        munmap(cells, module->count * sizeof *cells);
    }
}

void ccprof_counts_unit(uint64_t unit)
{
    struct ccprof_quiet quiet;

    if (!self.at)
        return;
    ccprof_quiet_begin(&quiet);
    if (ccprof_counts_lock()) {
        ccprof_counts_stretch_unit(&self, unit);
        ccprof_counts_unlock();
    }
    ccprof_quiet_end(&quiet);
}

/* What the calling thread counts, and all that has been counted before.  */
static void counts_zero(const struct ccprof_counts_module *module)
{
    size_t size = module->count * sizeof *module->totals;

    if (!module->unloaded && module->is_record) {
        counts_take_records(module, &self);
    } else if (!module->unloaded && module->is_pair) {
        ccprof_inclusive_zero(module, &self);
    } else if (!module->unloaded) {
        memset(counts_of(module, &self), 0, size);
        memset(module->cells, 0, size);
    }
    memset(module->totals, 0, size);
}

void ccprof_counts_drop(void)
{
    ccprof_lock_release(&busy);
    ccprof_counts_list = NULL;
    thread_count = strays = 0;
    counts_enlist();
    for (unsigned i = 0; i < atomic_load(&ccprof_counts_module_count); i++)
        counts_zero(&ccprof_counts_modules[i]);
    ccprof_counts_stretch_drop(&self);
}

uint64_t ccprof_counts_strays(void)
{
    return strays;
}

bool ccprof_counts_knows(pid_t tid)
{
    const struct ccprof_counts_thread *thread;

    if (!ccprof_counts_lock())
        return true;
    thread = ccprof_counts_list;
    while (thread && thread->tid != tid)
        thread = thread->next;
    ccprof_counts_unlock();
    return thread;
}

bool ccprof_counts_stray(bool patient)
{
    if (self.at || self.ended || !ccprof_counts_has_strays() ||
        !(patient ? ccprof_counts_lock() : ccprof_lock_try(&busy)))
        return false;
    self.pointer = (uintptr_t)__builtin_thread_pointer();
    strays += !self.stray;
    self.stray = true;
    ccprof_counts_stretch_stray(&self);
    ccprof_counts_unlock();
    return true;
}

uint64_t ccprof_counts_threads(void)
{
    return thread_count + strays;
}

int ccprof_counts_each(ccprof_counts_visit *visit, void *context)
{
    bool locked = ccprof_counts_lock();
    int stop = 0;

    for (unsigned m = 0; m < atomic_load(&ccprof_counts_module_count) && !stop; m++) {
        const struct ccprof_counts_module *module = &ccprof_counts_modules[m];
        for (size_t i = 0; i < module->count && !stop; i++) {
            uint64_t sum =
                ccprof_counts_stretch_of(module, i, ccprof_counts_sum(module, i));
            if (sum)
                stop =
                    visit(context, module->number, ccprof_counts_place(module, i), sum);
        }
    }
    if (locked)
        ccprof_counts_unlock();
    return stop;
}
