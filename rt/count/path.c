/* SPDX-License-Identifier: MIT */
/* Gives one path word to all modules of kind alloc, and clears it where it leads to
   counters that are gone.  Owns the runtime's own word.  The constructor calls
   ccprof_path_attach; ccprof_path_forget is called under the lock of counts-lists.h.  */

#include "rt/count/path.h"
#include "rt/format.h"
#include "rt/unwind/sharedword.h"

static __thread uintptr_t own;
static struct ccprof_sharedword path = {.note = CCPROF_NOTE_PATH,
                                        .placed = CCPROF_NOTE_PATH_PLACED};

void ccprof_path_attach(const void *address)
{
    ccprof_sharedword_attach(&path, address, &own);
}

void ccprof_path_forget(uintptr_t thread, const void *from, size_t size)
{
    if (!path.is_there)
        return;
    uintptr_t *at = (uintptr_t *)(thread + (uintptr_t)path.offset);
    if (*at - (uintptr_t)from < size)
        *at = 0;
}
