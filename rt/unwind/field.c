/* SPDX-License-Identifier: MIT */
/* Owns the choice of the field, which is made when the first module of the kind is
   loaded.  attach: constructor; site: the SIGPROF handler.  */

#define _GNU_SOURCE
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt/unwind/field.h"
#include "rt/format.h"
#include "rt/os/notes.h"
#include "rt/unwind/store.h"

static __thread uint64_t own;

/* Distance of the field from a thread's pointer; 0: no module has one.  */
static _Atomic intptr_t offset;

static intptr_t field_thread(void)
{
    return (intptr_t)__builtin_thread_pointer();
}

static const struct ccprof_field_note *field_note(const struct dl_phdr_info *info)
{
    const struct ccprof_field_note *note =
        ccprof_notes_find(info, CCPROF_NOTE_FIELD, sizeof *note);
    return note && note->version == CCPROF_ATTACH_VERSION ? note : NULL;
}

static ccprof_store_offset *field_function(const struct ccprof_field_note *note)
{
    return (ccprof_store_offset *)((uintptr_t)&note->offset +
                                   (uintptr_t)(intptr_t)note->offset);
}

static bool field_is_protected(const struct dl_phdr_info *info, uintptr_t page,
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

/* The loader has made the slot's page read-only, perhaps.  */
static void field_set_slot(const struct dl_phdr_info *info, intptr_t *slot)
{
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)slot & -size;
    bool is_protected = field_is_protected(info, page, size);

    if (is_protected && mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0)
        return;
    __atomic_store_n(slot, offset, __ATOMIC_RELAXED);
    if (is_protected)
        mprotect((void *)page, size, PROT_READ);
}

/* The executable comes first.  */
static int field_choose(struct dl_phdr_info *info, size_t size, void *unused)
{
    const struct ccprof_field_note *note = field_note(info);

    (void)size;
    (void)unused;
    offset = note ? field_function(note)() : (intptr_t)&own - field_thread();
    return 1;
}

struct field_search {
    uintptr_t address;
    bool behind; /* the executable */
};

static int field_visit(struct dl_phdr_info *info, size_t size, void *of)
{
    struct field_search *search = of;
    bool is_executable = !search->behind;

    (void)size;
    search->behind = true;
    if (!ccprof_notes_holds(info, search->address))
        return 0;
    const struct ccprof_field_note *note = is_executable ? NULL : field_note(info);
    intptr_t *slot = note ? ccprof_store_slot(field_function(note)) : NULL;
    if (slot && *slot != offset)
        field_set_slot(info, slot);
    return 1;
}

void ccprof_field_attach(const void *address)
{
    struct field_search search = {(uintptr_t)address, false};

    if (offset == 0)
        dl_iterate_phdr(field_choose, NULL);
    dl_iterate_phdr(field_visit, &search);
}

uint64_t ccprof_field_site(const void *context)
{
    intptr_t at = offset;
    uint64_t site;

    if (at == 0)
        return 0;
    if (ccprof_store_begun(context, at, &site))
        return site;
    return *(volatile uint64_t *)(field_thread() + at);
}
