/* SPDX-License-Identifier: MIT */
/* Owns the list of modules with counters: finds them, adds them, and keeps what was
   counted in those that are unloaded.  attach: constructor; detach: libc, where a module
   goes.  The list of threads is locked meanwhile.  */

#define _GNU_SOURCE
#include <link.h>

#include "rt/format.h"
#include "rt/os/notes.h"
#include "rt/os/quiet.h"
#include "rt/count/counts-inside.h"
#include "rt/count/counts.h"

struct ccprof_counts_module ccprof_counts_modules[CCPROF_MODULES_MAX];
_Atomic unsigned ccprof_counts_module_count;

static bool has_records;
static _Atomic bool exiting;

int __cxa_atexit(void (*function)(void *), void *argument, void *handle);

static void counts_unload(struct ccprof_counts_module *module)
{
    ccprof_counts_stretch_detach((unsigned)(module - ccprof_counts_modules));
    for (size_t i = 0; i < module->count; i++)
        module->totals[i] = ccprof_counts_sum(module, i);
    /* Addresses of pairs may stand on stacks.  */
    if (!module->is_record && !module->is_pair)
        ccprof_counts_share(module);
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
    module->totals = ccprof_counts_pages(module->count * sizeof *module->totals);
    if (!module->totals || module->number < 0)
        return;
    for (struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        ccprof_counts_give(module, t);
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

bool ccprof_counts_any(void)
{
    return atomic_load(&ccprof_counts_module_count) != 0;
}

bool ccprof_counts_has_strays(void)
{
    return has_records;
}
