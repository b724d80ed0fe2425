/* SPDX-License-Identifier: MIT */
/* Reads the field of the calling thread (kind time-field).  Owns the runtime's own field.
   The SIGPROF handler calls ccprof_field_site, and the constructor calls
   ccprof_field_attach.  */

#include "rt/format.h"
#include "rt/unwind/field.h"
#include "rt/unwind/sharedword.h"
#include "rt/unwind/store.h"

static __thread uint64_t own;
static struct ccprof_sharedword field = {.note = CCPROF_NOTE_FIELD,
                                         .placed = CCPROF_NOTE_FIELD_PLACED};

void ccprof_field_attach(const void *address)
{
    ccprof_sharedword_attach(&field, address, &own);
}

uint64_t ccprof_field_site(const void *context)
{
    intptr_t at;
    uint64_t site;

    if (!field.is_there)
        return 0;
    at = field.offset;
    if (ccprof_store_begun(context, at, &site))
        return site;
    return *(volatile uint64_t *)((intptr_t)__builtin_thread_pointer() + at);
}
