/* SPDX-License-Identifier: MIT */
/* Owns the list of the stubs' code.  A stub that finds no room in the list is taken for
   code without tables.  The constructor calls add; the SIGPROF handler and the writer of
   files call the other functions.  */

#include <elf.h>
#include <stdatomic.h>

#include "rt/format.h"
#include "rt/os/own.h"

#define OWN_STUBS 64

extern const char ccprof_own_start[] __attribute__((weak, visibility("hidden")));
extern const char ccprof_own_end[] __attribute__((weak, visibility("hidden")));

static struct ccprof_own_code stubs[OWN_STUBS];
static _Atomic unsigned count;

/* Returns whether the note of the stub names the stub's code: the shorter notes of older
   stubs do not, as the size in the note's header shows.  */
static bool own_is_told(const struct ccprof_attach *attach)
{
    const char *name = (const char *)attach - (sizeof CCPROF_NOTE_NAME + 3) / 4 * 4;
    const Elf64_Nhdr *head = (const void *)(name - sizeof *head);
    return head->n_descsz >= sizeof *attach;
}

void ccprof_own_add(const struct ccprof_attach *attach)
{
    unsigned at = atomic_load(&count);

    if (at == OWN_STUBS || !own_is_told(attach))
        return;
    stubs[at].start = (uintptr_t)&attach->code + (uint64_t)(int64_t)attach->code;
    stubs[at].end = stubs[at].start + attach->size;
    atomic_store(&count, at + 1);
}

bool ccprof_own_get(unsigned number, struct ccprof_own_code *code)
{
    if (number > atomic_load(&count))
        return false;
    if (number > 0) {
        *code = stubs[number - 1];
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
