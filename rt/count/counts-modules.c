/* SPDX-License-Identifier: MIT */
/* Finds the modules with counters, adds them to the list, and keeps the counts of modules
   that are unloaded.  attach: constructor; detach: libc, where a module is unloaded.  The
   list of threads is locked meanwhile.  */

#define _GNU_SOURCE
#include <link.h>

#include "rt/format.h"
#include "rt/os/notes.h"
#include "rt/os/blocked.h"
#include "rt/os/pages.h"
#include "rt/count/counts-lists.h"
#include "rt/count/counts-accounting.h"
#include "rt/count/counts.h"
#include "rt/count/inclusive.h"

static bool has_private;
static _Atomic bool exiting;

int __cxa_atexit(void (*function)(void *), void *argument, void *handle);

static void counts_unload(struct ccprof_counts_module *module)
{
    ccprof_counts_accounting_detach((unsigned)(module - ccprof_counts_modules));
    for (size_t i = 0; i < module->count; i++)
        module->totals[i] = ccprof_counts_sum(module, i);
    /* Addresses of pairs may stand on stacks.  */
    if (module->form->share)
        module->form->share(module);
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
    struct ccprof_blocked blocked;

    if (exiting)
        return;
    ccprof_blocked_begin(&blocked);
    if (ccprof_counts_lock()) {
        counts_unload(module);
        ccprof_counts_unlock();
    }
    ccprof_blocked_end(&blocked);
}

/* The notes that tell of counters.  */
static const struct counts_kind {
    unsigned type;
    const struct ccprof_counts_form *form;
} kinds[] = {
    {CCPROF_NOTE_CELLS, &ccprof_counts_storage},
    {CCPROF_NOTE_RECORDS, &ccprof_counts_records},
    {CCPROF_NOTE_PAIRS, &ccprof_inclusive_form},
};

/* What counts_visit looks for, and finds.  */
struct counts_search {
    uintptr_t address;
    const struct counts_kind *kind;
    const struct ccprof_counts_note *note;
    uintptr_t block; /* of the calling thread; 0: none */
};

static int counts_visit(struct dl_phdr_info *info, size_t size, void *of)
{
    struct counts_search *search = of;

    (void)size;
    if (!ccprof_notes_holds(info, search->address))
        return 0;
    search->note = ccprof_notes_find(info, search->kind->type, sizeof *search->note);
    search->block = (uintptr_t)info->dlpi_tls_data;
    return 1;
}

static uintptr_t counts_distance(const struct counts_search *search)
{
    const int *delta = &search->note->delta;

    if (search->kind->form->is_private)
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
    module->storage = (void *)((char *)&note->start + note->start);
    module->form = search->kind->form;
    module->count = (size_t)(stop - module->storage) / module->form->words;
    module->none = (void *)((char *)&note->none + note->none);
    module->distance = counts_distance(search);
    module->number = ccprof_modules_find(loaded, (uintptr_t)note);
    module->totals = ccprof_pages_map(module->count * sizeof *module->totals);
    if (!module->totals || module->number < 0)
        return;
    for (struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        ccprof_counts_give(module, t);
    has_private = has_private || module->form->is_private;
    atomic_store(&ccprof_counts_module_count, count + 1);
    /* An executable, which is number 0, stays.  */
    if (*handle == handle && module->number != 0)
        if (__cxa_atexit(counts_detach, module, handle) == 0)
            __cxa_atexit(counts_exit, NULL, NULL);
}

static void counts_look(const void *address, const struct counts_kind *kind,
                        const struct ccprof_modules *loaded)
{
    struct counts_search search = {(uintptr_t)address, kind, NULL, 0};

    dl_iterate_phdr(counts_visit, &search);
    if (kind->form->is_private && search.block == 0)
        return;
    if (!search.note || !ccprof_counts_lock())
        return;
    counts_add(&search, loaded);
    ccprof_counts_unlock();
}

void ccprof_counts_attach(const void *address, const struct ccprof_modules *loaded)
{
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        counts_look(address, &kinds[i], loaded);
    ccprof_blocked_end(&blocked);
}

bool ccprof_counts_any(void)
{
    return atomic_load(&ccprof_counts_module_count) != 0;
}

bool ccprof_counts_are_private(void)
{
    return has_private;
}
