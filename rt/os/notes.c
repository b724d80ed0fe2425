/* SPDX-License-Identifier: MIT */
/* Reads ELF notes. Owns the list of the address ranges of stubs. If the list is
   full, a further stub is treated as code without tables. The constructor calls find,
   holds and own_add. The other functions are called in many places, also in signal
   handlers. */

#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <stdatomic.h>
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

static size_t notes_padded(const struct ccprof_notes *notes, size_t size)
{
    return (size + notes->align - 1) & ~(notes->align - 1);
}

/* Accepts a last note without padding. */
bool ccprof_notes_next(struct ccprof_notes *notes, struct ccprof_note *note)
{
    ElfW(Nhdr) head;
    size_t content, end;

    if (notes->left < sizeof head)
        return false;
    memcpy(&head, notes->start, sizeof head);
    content = notes_padded(notes, sizeof head + head.n_namesz);
    if (content > notes->left || head.n_descsz > notes->left - content)
        return false;
    *note = (struct ccprof_note){head.n_type, notes->start + sizeof head,
                                 notes->start + content, head.n_namesz, head.n_descsz};
    end = notes_padded(notes, content + head.n_descsz);
    if (end > notes->left)
        end = notes->left;
    notes->start += end;
    notes->left -= end;
    return true;
}

static bool notes_matches(const struct ccprof_note *note, unsigned type, const char *name)
{
    size_t size = strlen(name) + 1;
    return note->type == type && note->name_size == size &&
           memcmp(note->name, name, size) == 0;
}

const void *ccprof_notes_build_id(struct ccprof_notes notes, size_t *size)
{
    struct ccprof_note note;

    while (ccprof_notes_next(&notes, &note)) {
        if (notes_matches(&note, NT_GNU_BUILD_ID, "GNU") && note.size != 0 &&
            note.size <= CCPROF_BUILD_ID_MAX) {
            *size = note.size;
            return note.content;
        }
    }
    return NULL;
}

/* Calls VISIT for each matching note. Returns false if VISIT returned false. */
static bool notes_visit(struct ccprof_notes notes, unsigned type, size_t size,
                        ccprof_notes_visit *visit, void *context)
{
    struct ccprof_note note;

    while (ccprof_notes_next(&notes, &note))
        if (notes_matches(&note, type, CCPROF_NOTE_NAME) && note.size == size &&
            !visit(note.content, context))
            return false;
    return true;
}

void ccprof_notes_each(const struct dl_phdr_info *info, unsigned type, size_t size,
                       ccprof_notes_visit *visit, void *context)
{
    bool more = true;

    for (unsigned i = 0; more && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        const char *from = (const char *)(info->dlpi_addr + segment->p_vaddr);
        if (segment->p_type == PT_NOTE && segment->p_align <= 4 &&
            ccprof_notes_holds(info, (uintptr_t)from))
            more = notes_visit(ccprof_notes_of(from, segment->p_memsz, 4), type, size,
                               visit, context);
    }
}

static bool notes_first(const void *content, void *context)
{
    *(const void **)context = content;
    return false;
}

const void *ccprof_notes_find(const struct dl_phdr_info *info, unsigned type, size_t size)
{
    const void *note = NULL;

    ccprof_notes_each(info, type, size, notes_first, &note);
    return note;
}

#define OWN_STUBS_MAX 64

extern const char ccprof_own_start[] __attribute__((weak, visibility("hidden")));
extern const char ccprof_own_end[] __attribute__((weak, visibility("hidden")));

static struct ccprof_own_code own_stubs[OWN_STUBS_MAX];
static _Atomic unsigned own_stub_count;

/* Returns whether the stub's note contains the address range of the stub. Notes of
   older stubs are shorter, according to the size in the note's header. */
static bool own_has_bounds(const struct ccprof_attach *attach)
{
    const char *name = (const char *)attach - (sizeof CCPROF_NOTE_NAME + 3) / 4 * 4;
    const Elf64_Nhdr *head = (const void *)(name - sizeof *head);
    return head->n_descsz >= sizeof *attach;
}

void ccprof_own_add(const struct ccprof_attach *attach)
{
    unsigned number = atomic_load(&own_stub_count);

    if (number == OWN_STUBS_MAX || !own_has_bounds(attach))
        return;
    own_stubs[number].start = (uintptr_t)&attach->code + (uint64_t)(int64_t)attach->code;
    own_stubs[number].end = own_stubs[number].start + attach->size;
    atomic_store(&own_stub_count, number + 1);
}

bool ccprof_own_get(unsigned number, struct ccprof_own_code *code)
{
    if (number > atomic_load(&own_stub_count))
        return false;
    if (number > 0) {
        *code = own_stubs[number - 1];
    } else {
        code->start = (uintptr_t)ccprof_own_start;
        code->end = (uintptr_t)ccprof_own_end;
    }
    return true;
}

bool ccprof_own_is(uint64_t address)
{
    struct ccprof_own_code code;

    for (unsigned i = 0; ccprof_own_get(i, &code); i++)
        if (address >= code.start && address < code.end)
            return true;
    return false;
}
