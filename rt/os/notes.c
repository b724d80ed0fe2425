/* SPDX-License-Identifier: MIT */
/* Finds notes in the executables and shared objects in memory.  Called by the
   constructor.  */

#define _GNU_SOURCE
#include <string.h>

#include "rt/os/notes.h"
#include "rt/format.h"

bool ccprof_notes_holds(const struct dl_phdr_info *info, uintptr_t address)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && address >= from &&
            address - from < segment->p_memsz)
            return true;
    }
    return false;
}

static const void *notes_in(const char *at, size_t room, unsigned type, size_t size)
{
    const ElfW(Nhdr) *note = (const void *)at;

    while (room >= sizeof *note) {
        size_t named = (note->n_namesz + 3) & ~(size_t)3;
        size_t body = named + ((note->n_descsz + 3) & ~(size_t)3);
        if (body > room - sizeof *note)
            return NULL;
        if (note->n_type == type && note->n_namesz == sizeof CCPROF_NOTE_NAME &&
            note->n_descsz == size &&
            memcmp(note + 1, CCPROF_NOTE_NAME, sizeof CCPROF_NOTE_NAME) == 0)
            return (const char *)(note + 1) + named;
        at += sizeof *note + body;
        room -= sizeof *note + body;
        note = (const void *)at;
    }
    return NULL;
}

const void *ccprof_notes_find(const struct dl_phdr_info *info, unsigned type, size_t size)
{
    const void *note = NULL;

    for (unsigned i = 0; !note && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const char *from = (const char *)(info->dlpi_addr + part->p_vaddr);
        if (part->p_type == PT_NOTE && part->p_align <= 4 &&
            ccprof_notes_holds(info, (uintptr_t)from))
            note = notes_in(from, part->p_memsz, type, size);
    }
    return note;
}
