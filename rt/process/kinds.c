/* SPDX-License-Identifier: MIT */
/* Reads the notes of the kinds.  Owns nothing.  */

#define _GNU_SOURCE
#include <link.h>

#include "rt/os/notes.h"
#include "rt/process/kinds.h"

struct kinds_search {
    uintptr_t address; /* in the module */
    unsigned kinds;
};

static bool kinds_add(const void *content, void *of)
{
    const struct ccprof_kind_note *note = content;
    struct kinds_search *search = of;

    if (note->version == CCPROF_ATTACH_VERSION)
        search->kinds |= note->kind;
    return true;
}

static int kinds_visit(struct dl_phdr_info *info, size_t size, void *of)
{
    struct kinds_search *search = of;

    (void)size;
    if (!ccprof_notes_holds(info, search->address))
        return 0;
    ccprof_notes_each(info, CCPROF_NOTE_KIND, sizeof(struct ccprof_kind_note), kinds_add,
                      search);
    return 1;
}

unsigned ccprof_kinds_of(const struct ccprof_attach *attach)
{
    struct kinds_search search = {(uintptr_t)attach, attach->kind};

    dl_iterate_phdr(kinds_visit, &search);
    return search.kinds;
}
