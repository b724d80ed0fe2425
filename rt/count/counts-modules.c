/* SPDX-License-Identifier: MIT */
/* Finds the modules with counters, adds them to the list, and keeps the counts of
   unloaded modules. Owns only two facts: whether any counters are private, and
   whether the program is exiting. The constructor calls attach. libc calls
   counts_detach when a module is unloaded. Both take the lock of the lists. */

#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>

#include "rt/format.h"
#include "rt/os/lock.h"
#include "rt/os/memory.h"
#include "rt/os/notes.h"
#include "rt/os/text.h"
#include "rt/count/counts-lists.h"
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
    /* The module's pairs may still be on threads' stacks of pairs. */
    if (module->form->share)
        module->form->share(module);
    module->unloaded = true;
}

/* libc calls this at the exit of the program, before it calls counts_detach for
   modules that were loaded earlier. This is the only way to distinguish an exit from
   a dlclose: only an exit calls functions that belong to no module. */
static void counts_exit(void *unused)
{
    (void)unused;
    exiting = true;
}

/* libc calls this when the module is unloaded, and at the exit of the program. At an
   exit the module stays loaded, and threads may still run its code. */
static void counts_detach(void *context)
{
    struct ccprof_counts_module *module = context;
    struct ccprof_blocked blocked;

    if (exiting)
        return;
    if (module->number < 0)
        ccprof_modules_refresh(ccprof_counts_loaded);
    ccprof_blocked_begin(&blocked);
    if (ccprof_counts_lock()) {
        ccprof_counts_number(module);
        counts_unload(module);
        ccprof_counts_unlock();
    }
    ccprof_blocked_end(&blocked);
}

/* The notes that announce counters. TYPE is for code that uses thread-local words.
   PLACED is for code that uses tables of words (counts-lists.h); its word is at the
   offset INDEX in an entry. */
static const struct counts_kind {
    unsigned type, placed;
    const struct ccprof_counts_form *form;
    size_t index;
} kinds[] = {
    {CCPROF_NOTE_CELLS, CCPROF_NOTE_CELLS_PLACED, &ccprof_counts_storage,
     offsetof(struct ccprof_stack_word, delta)},
    {CCPROF_NOTE_RECORDS, 0, &ccprof_counts_records, 0},
    {CCPROF_NOTE_PAIRS, CCPROF_NOTE_PAIRS_PLACED, &ccprof_inclusive_form, 0},
    {CCPROF_NOTE_PAIRS_OWN, 0, &ccprof_inclusive_form, 0},
};

/* Input and output of counts_visit. A module may have code of both kinds, and then
   has both notes. They differ only in DELTA. */
struct counts_search {
    uintptr_t address;
    const struct counts_kind *kind;
    const struct ccprof_counts_note *note, *placed;
    uintptr_t block; /* the calling thread's thread-local block of the module; 0: none */
};

static const struct ccprof_counts_note *counts_note(const struct dl_phdr_info *info,
                                                    unsigned type)
{
    const struct ccprof_counts_note *note =
        type ? ccprof_notes_find(info, type, sizeof *note) : NULL;
    return note && note->version == CCPROF_ATTACH_VERSION ? note : NULL;
}

static int counts_visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct counts_search *search = context;

    (void)size;
    if (!ccprof_notes_holds(info, search->address))
        return 0;
    search->note = counts_note(info, search->kind->type);
    search->placed = counts_note(info, search->kind->placed);
    search->block = (uintptr_t)info->dlpi_tls_data;
    return 1;
}

static uintptr_t counts_distance(const struct counts_search *search)
{
    const int *delta;

    if (!search->note)
        return 0;
    delta = &search->note->delta;
    if (search->kind->form->is_private)
        return search->block - (uintptr_t)__builtin_thread_pointer();
    return ((uintptr_t(*)(void))((char *)delta + *delta))();
}

static struct ccprof_place *counts_place(const struct counts_search *search)
{
    const struct ccprof_counts_note *note = search->placed;
    return note ? (void *)((char *)&note->delta + note->delta) : NULL;
}

/* Returns the module's entry from an earlier load, or a new entry; null if there is no
   room. */
static struct ccprof_counts_module *
counts_entry(const struct ccprof_counts_module *candidate)
{
    unsigned count = atomic_load(&ccprof_counts_module_count);

    if (!ccprof_counts_modules)
        ccprof_counts_modules =
            ccprof_pages_map(CCPROF_COUNTS_MODULES_MAX * sizeof *ccprof_counts_modules);
    if (!ccprof_counts_modules)
        return NULL;
    for (unsigned i = 0; i < count; i++) {
        struct ccprof_counts_module *module = &ccprof_counts_modules[i];
        if (module->unloaded && candidate->number >= 0 &&
            module->number == candidate->number &&
            module->storage == candidate->storage && module->count == candidate->count &&
            module->form == candidate->form)
            return module;
    }
    return count < CCPROF_COUNTS_MODULES_MAX ? &ccprof_counts_modules[count] : NULL;
}

/* Returns the distance from the module's counters to the totals. Threads that have
   ended count there. */
static uintptr_t counts_ended_distance(const struct ccprof_counts_module *module)
{
    return module->form == &ccprof_counts_storage
               ? (uintptr_t)module->totals - (uintptr_t)module->storage
               : 0;
}

static void counts_add(const struct counts_search *search)
{
    static bool said;
    const struct ccprof_counts_note *note = search->note ? search->note : search->placed;
    const struct ccprof_counts_form *form = search->kind->form;
    uint64_t *start = (void *)((char *)&note->start + note->start);
    uint64_t *stop = (void *)((char *)&note->stop + note->stop);
    void **handle = (void **)((char *)&note->handle + note->handle);
    const struct ccprof_counts_module candidate = {
        .number = ccprof_modules_find_now(ccprof_counts_loaded, (uintptr_t)note),
        .storage = start,
        .count = (size_t)(stop - start) / form->words,
        .form = form,
        .distance = counts_distance(search),
        .has_word = search->note != NULL,
        .has_stacks = search->kind->type == CCPROF_NOTE_PAIRS_OWN,
        .place = counts_place(search),
        .none = (void *)((char *)&note->none + note->none)};
    struct ccprof_counts_module *module = counts_entry(&candidate);

    if (!module) {
        if (!said)
            ccprof_say_missing(
                "too many shared objects with counters: not all is counted", NULL);
        said = true;
        return;
    }
    if (module->unloaded) {
        ccprof_counts_accounting_reload((unsigned)(module - ccprof_counts_modules));
        module->distance = candidate.distance;
        module->has_word = candidate.has_word;
        module->place = candidate.place;
        module->none = candidate.none;
        module->unloaded = false;
    } else {
        *module = candidate;
        module->totals = ccprof_pages_map(module->count * sizeof *module->totals);
        if (!module->totals)
            return;
    }
    ccprof_counts_words_clear(module, counts_ended_distance(module));
    for (struct ccprof_counts_thread *t = ccprof_counts_list; t; t = t->next)
        ccprof_counts_give(module, t);
    if (module->place)
        ccprof_counts_words_place(module, search->kind->index);
    has_private = has_private || form->is_private;
    if (module == &ccprof_counts_modules[atomic_load(&ccprof_counts_module_count)])
        atomic_fetch_add(&ccprof_counts_module_count, 1);
    /* The executable has number 0 and is never unloaded. */
    if (*handle == handle && module->number != 0)
        if (__cxa_atexit(counts_detach, module, handle) == 0)
            __cxa_atexit(counts_exit, NULL, NULL);
}

static void counts_attach_kind(const void *address, const struct counts_kind *kind)
{
    struct counts_search search = {(uintptr_t)address, kind, NULL, NULL, 0};

    dl_iterate_phdr(counts_visit, &search);
    if (kind->form->is_private && search.block == 0)
        return;
    if ((!search.note && !search.placed) || !ccprof_counts_lock())
        return;
    counts_add(&search);
    ccprof_counts_unlock();
}

void ccprof_counts_attach(const void *address, struct ccprof_modules *loaded)
{
    struct ccprof_blocked blocked;

    ccprof_counts_loaded = loaded;
    ccprof_blocked_begin(&blocked);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        counts_attach_kind(address, &kinds[i]);
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
