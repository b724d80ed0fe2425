/* SPDX-License-Identifier: MIT */
/* attach: constructor; site: the SIGPROF handler.  */

#include "rt/format.h"
#include "rt/unwind/field.h"
#include "rt/unwind/sharedword.h"
#include "rt/unwind/store.h"

static __thread uint64_t own;
static struct ccprof_sharedword field = {.note = CCPROF_NOTE_FIELD};

static intptr_t field_thread(void)
{
    return (intptr_t)__builtin_thread_pointer();
}

void ccprof_field_attach(const void *address)
{
    ccprof_sharedword_attach(&field, address, (intptr_t)&own - field_thread());
}

uint64_t ccprof_field_site(const void *context)
{
    intptr_t at = field.offset;
    uint64_t site;

    if (at == 0)
        return 0;
    if (ccprof_store_begun(context, at, &site))
        return site;
    return *(volatile uint64_t *)(field_thread() + at);
}
