/* SPDX-License-Identifier: MIT */
/* Chooses the word when the first module that may have it is attached, and makes other
   modules use this word.  Owns nothing: a struct ccprof_sharedword belongs to its module.
   Called by constructors.  */

#define _GNU_SOURCE
#include <link.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt/format.h"
#include "rt/os/notes.h"
#include "rt/unwind/sharedword.h"
#include "rt/unwind/store.h"

static const struct ccprof_word_note *sharedword_note(const struct dl_phdr_info *info,
                                                      unsigned type)
{
    const struct ccprof_word_note *note = ccprof_notes_find(info, type, sizeof *note);
    return note && note->version == CCPROF_ATTACH_VERSION ? note : NULL;
}

static ccprof_store_offset *sharedword_function(const struct ccprof_word_note *note)
{
    return (ccprof_store_offset *)((uintptr_t)&note->offset +
                                   (uintptr_t)(intptr_t)note->offset);
}

static bool sharedword_is_protected(const struct dl_phdr_info *info, uintptr_t page,
                                    uintptr_t size)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_GNU_RELRO && page >= (from & -size) &&
            page < ((from + segment->p_memsz) & -size))
            return true;
    }
    return false;
}

/* The loader may have made the page of the slot read-only (RELRO).  */
static void sharedword_set_slot(const struct dl_phdr_info *info, intptr_t *slot,
                                intptr_t offset)
{
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)slot & -size;
    bool is_protected = sharedword_is_protected(info, page, size);

    if (is_protected && mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0)
        return;
    __atomic_store_n(slot, offset, __ATOMIC_RELAXED);
    if (is_protected)
        mprotect((void *)page, size, PROT_READ);
}

/* An executable has places, too, in code that was compiled for shared objects.  */
static void sharedword_set_place(const struct dl_phdr_info *info,
                                 const struct ccprof_sharedword *word)
{
    const struct ccprof_word_note *note = sharedword_note(info, word->placed);
    struct ccprof_place *place;

    if (!note)
        return;
    place = (void *)((uintptr_t)&note->offset + (uintptr_t)(intptr_t)note->offset);
    __atomic_store_n(&place->offset, (unsigned long)word->offset, __ATOMIC_RELAXED);
}

struct sharedword_search {
    struct ccprof_sharedword *word;
    uintptr_t address;
    intptr_t own;
    bool behind; /* the executable has been visited */
};

/* dl_iterate_phdr visits the executable first.  */
static int sharedword_choose(struct dl_phdr_info *info, size_t size, void *of)
{
    struct sharedword_search *search = of;
    const struct ccprof_word_note *note = sharedword_note(info, search->word->note);

    (void)size;
    search->word->offset = note ? sharedword_function(note)() : search->own;
    search->word->is_there = true;
    return 1;
}

static int sharedword_visit(struct dl_phdr_info *info, size_t size, void *of)
{
    struct sharedword_search *search = of;
    bool is_executable = !search->behind;

    (void)size;
    search->behind = true;
    if (!ccprof_notes_holds(info, search->address))
        return 0;
    const struct ccprof_word_note *note =
        is_executable ? NULL : sharedword_note(info, search->word->note);
    intptr_t *slot = note ? ccprof_store_slot(sharedword_function(note)) : NULL;
    sharedword_set_place(info, search->word);
    if (slot && *slot != search->word->offset)
        sharedword_set_slot(info, slot, search->word->offset);
    return 1;
}

void ccprof_sharedword_attach(struct ccprof_sharedword *word, const void *address,
                              const void *own)
{
    intptr_t thread = (intptr_t)__builtin_thread_pointer();
    struct sharedword_search search = {word, (uintptr_t)address, (intptr_t)own - thread,
                                       false};

    if (!word->is_there)
        dl_iterate_phdr(sharedword_choose, &search);
    dl_iterate_phdr(sharedword_visit, &search);
}
