/* SPDX-License-Identifier: MIT */
/* Chooses the shared word when the first module that may have it is attached, and
   makes the other modules use this word. Owns the runtime's own field; a struct
   ccprof_sharedword belongs to the module that defines it. Constructors call
   ccprof_sharedword_attach and ccprof_field_attach; the SIGPROF handler calls
   ccprof_field_site. */

#define _GNU_SOURCE
#include <link.h>
#include <stdbool.h>

#include "rt/format.h"
#include "rt/os/notes.h"
#include "rt/unwind/sharedword.h"
#include "rt/unwind/cpu.h"

static const struct ccprof_word_note *sharedword_note(const struct dl_phdr_info *info,
                                                      unsigned type)
{
    const struct ccprof_word_note *note = ccprof_notes_find(info, type, sizeof *note);
    return note && note->version == CCPROF_ATTACH_VERSION ? note : NULL;
}

/* Returns the address of the function or the place to which the note refers. */
static uintptr_t sharedword_at(const struct ccprof_word_note *note)
{
    return (uintptr_t)&note->offset + (uintptr_t)(intptr_t)note->offset;
}

/* Sets the module's place, if there is one. An executable may have places, too, in
   code that was compiled for shared objects. */
static void sharedword_set_place(const struct dl_phdr_info *info,
                                 const struct ccprof_sharedword *word)
{
    const struct ccprof_word_note *note = sharedword_note(info, word->placed);
    struct ccprof_place *place;

    if (!note)
        return;
    place = (void *)sharedword_at(note);
    __atomic_store_n(&place->offset, (unsigned long)word->offset, __ATOMIC_RELAXED);
    __atomic_store_n(&place->packed, CCPROF_PLACE_PACKED(word->offset, 0),
                     __ATOMIC_RELAXED);
}

struct sharedword_search {
    struct ccprof_sharedword *word;
    uintptr_t address;
    intptr_t fallback;
};

/* A callback of dl_iterate_phdr, which visits the executable first: chooses the
   executable's word, or FALLBACK if the executable has no word. */
static int sharedword_choose(struct dl_phdr_info *info, size_t size, void *context)
{
    struct sharedword_search *search = context;
    const struct ccprof_word_note *note = sharedword_note(info, search->word->note);

    (void)size;
    search->word->offset =
        note ? ((intptr_t(*)(void))sharedword_at(note))() : search->fallback;
    search->word->is_there = true;
    return 1;
}

static int sharedword_visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct sharedword_search *search = context;

    (void)size;
    if (!ccprof_notes_holds(info, search->address))
        return 0;
    sharedword_set_place(info, search->word);
    return 1;
}

void ccprof_sharedword_attach(struct ccprof_sharedword *word, const void *address,
                              const void *fallback)
{
    intptr_t thread = (intptr_t)__builtin_thread_pointer();
    struct sharedword_search search = {word, (uintptr_t)address,
                                       (intptr_t)fallback - thread};

    if (!word->is_there)
        dl_iterate_phdr(sharedword_choose, &search);
    dl_iterate_phdr(sharedword_visit, &search);
}

static __thread uint64_t own_field;
static struct ccprof_sharedword field = {.note = CCPROF_NOTE_FIELD,
                                         .placed = CCPROF_NOTE_FIELD_PLACED};

void ccprof_field_attach(const void *address)
{
    ccprof_sharedword_attach(&field, address, &own_field);
}

uint64_t ccprof_field_site(const void *context)
{
    intptr_t offset;
    uint64_t site;

    if (!field.is_there)
        return 0;
    offset = field.offset;
    if (ccprof_store_interrupted(context, offset, &site))
        return site;
    return *(volatile uint64_t *)((intptr_t)__builtin_thread_pointer() + offset);
}
