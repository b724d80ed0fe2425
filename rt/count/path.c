/* SPDX-License-Identifier: MIT */
/* Attaches the word of each thread that is its path to the modules of kind alloc, and
   clears the words that lead to counters which are gone.  ccprof_path_attach is called by
   the constructor, ccprof_path_forget under the lock of counts-lists.h.  */

#include "rt/count/path.h"
#include "rt/format.h"
#include "rt/unwind/sharedword.h"

static __thread uintptr_t own;
static struct ccprof_sharedword path = {.note = CCPROF_NOTE_PATH};

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
