/* SPDX-License-Identifier: MIT */
/* Owns the list of modules with counters, the list of the threads that run, and their
   cells.  attach: constructor; begin and end: the thread; each: where the profile is
   written.  The list of threads is locked while cells are given and taken.  */

#define _GNU_SOURCE
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "counts-inside.h"
#include "counts.h"
#include "format.h"
#include "inclusive.h"
#include "lock.h"
#include "notes.h"
#include "quiet.h"
#include "sys.h"

/* How long one waits for the list of threads, in nanoseconds, where the holder may be a
   thread that a fatal signal has cut off.  */
#define COUNTS_PATIENCE 100000000

struct ccprof_counts_module ccprof_counts_modules[CCPROF_MODULES_MAX];
_Atomic unsigned ccprof_counts_module_count;
struct ccprof_counts_thread *ccprof_counts_list;

static uint64_t thread_count, strays;
static bool has_records;
static _Atomic bool exiting;
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

static void counts_give(const struct ccprof_counts_module *module,
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
        counts_give(&ccprof_counts_modules[i], &self);
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

/* What counts_visit looks for, and finds.  */
struct counts_search {
    uintptr_t address;
    unsigned type;
    const struct ccprof_counts_note *note;
    uintptr_t block; /* of the calling thread; 0: none */
};

static int counts_visit(struct dl_phdr_info *info, size_t size, void *of)
{
    struct counts_search *search = of;

    (void)size;
    if (!ccprof_notes_holds(info, search->address))
        return 0;
    search->note = ccprof_notes_find(info, search->type, sizeof *search->note);
    search->block = (uintptr_t)info->dlpi_tls_data;
    return 1;
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

static uint64_t counts_sum(const struct ccprof_counts_module *module, size_t i)
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

/* From now on all threads count in the totals: the module's destructors are still to
   come.  */
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

static void counts_unload(struct ccprof_counts_module *module)
{
    ccprof_counts_stretch_detach((unsigned)(module - ccprof_counts_modules));
    for (size_t i = 0; i < module->count; i++)
        module->totals[i] = counts_sum(module, i);
    /* Addresses of pairs may stand on stacks.  */
    if (!module->is_record && !module->is_pair)
        counts_share(module);
    module->unloaded = true;
}

/* Libc calls this where the program exits, before it calls counts_detach for what has
   been loaded earlier: there is no way to tell an exit from a dlclose but that only the
   first calls what belongs to no object.  */
static void counts_exit(void *unused)
{
    (void)unused;
    exiting = true;
}

/* Libc calls this where the module is unloaded, or the program exits; then it stays, and
   threads may still be at work in it.  */
static void counts_detach(void *module)
{
    struct ccprof_quiet quiet;

    if (exiting)
        return;
    ccprof_quiet_begin(&quiet);
    if (ccprof_counts_lock()) {
        counts_unload(module);
        ccprof_counts_unlock();
    }
    ccprof_quiet_end(&quiet);
}

int __cxa_atexit(void (*function)(void *), void *argument, void *handle);

static uintptr_t counts_distance(const struct counts_search *search)
{
    const int *delta = &search->note->delta;

    if (search->type == CCPROF_NOTE_RECORDS)
        return search->block - (uintptr_t)__builtin_thread_pointer();
    return ((uintptr_t(*)(void))((char *)delta + *delta))();
}

static void counts_add(const struct counts_search *search,
                       const struct ccprof_modules *loaded)
{
    const struct ccprof_counts_note *note = search->note;
    unsigned count = atomic_load(&ccprof_counts_module_count);
    struct ccprof_counts_module *module = &ccprof_counts_modules[count];
    uint64_t *stop = (void *)((char *)&note->stop + note->stop);
    void **handle = (void **)((char *)&note->handle + note->handle);

    if (note->version != CCPROF_ATTACH_VERSION || count == CCPROF_MODULES_MAX)
        return;
    module->cells = (void *)((char *)&note->start + note->start);
    module->is_record = search->type == CCPROF_NOTE_RECORDS;
    module->is_pair = search->type == CCPROF_NOTE_PAIRS;
    module->count = (size_t)(stop - module->cells) / (module->is_pair ? 2 : 1);
    module->none = (void *)((char *)&note->none + note->none);
    module->distance = counts_distance(search);
    module->number = ccprof_modules_find(loaded, (uintptr_t)note);
    module->totals = counts_cells(module->count);
    if (!module->totals || module->number < 0)
        return;
    for (struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        counts_give(module, t);
    has_records = has_records || module->is_record;
    atomic_store(&ccprof_counts_module_count, count + 1);
    /* An executable, which is number 0, stays.  */
    if (*handle == handle && module->number != 0)
        if (__cxa_atexit(counts_detach, module, handle) == 0)
            __cxa_atexit(counts_exit, NULL, NULL);
}

static void counts_look(const void *address, unsigned type,
                        const struct ccprof_modules *loaded)
{
    struct counts_search search = {(uintptr_t)address, type, NULL, 0};

    dl_iterate_phdr(counts_visit, &search);
    if (type == CCPROF_NOTE_RECORDS && search.block == 0)
        return;
    if (!search.note || !ccprof_counts_lock())
        return;
    counts_add(&search, loaded);
    ccprof_counts_unlock();
}

void ccprof_counts_attach(const void *address, const struct ccprof_modules *loaded)
{
    struct ccprof_quiet quiet;

    ccprof_quiet_begin(&quiet);
    counts_look(address, CCPROF_NOTE_CELLS, loaded);
    counts_look(address, CCPROF_NOTE_RECORDS, loaded);
    counts_look(address, CCPROF_NOTE_PAIRS, loaded);
    ccprof_quiet_end(&quiet);
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

bool ccprof_counts_any(void)
{
    return atomic_load(&ccprof_counts_module_count) != 0;
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

bool ccprof_counts_has_strays(void)
{
    return has_records;
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
    if (self.at || self.ended || !has_records ||
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
            uint64_t sum = ccprof_counts_stretch_of(module, i, counts_sum(module, i));
            if (sum)
                stop =
                    visit(context, module->number, ccprof_counts_place(module, i), sum);
        }
    }
    if (locked)
        ccprof_counts_unlock();
    return stop;
}
