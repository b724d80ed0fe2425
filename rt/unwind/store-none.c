/* SPDX-License-Identifier: MIT */
/* Recognizes no store, for processors for which the plugin writes none.  */

#include <stddef.h>

#include "rt/unwind/store.h"

intptr_t *ccprof_store_slot(ccprof_store_offset *function)
{
    (void)function;
    return NULL;
}

bool ccprof_store_begun(const void *context, intptr_t offset, uint64_t *site)
{
    (void)context;
    (void)offset;
    (void)site;
    return false;
}
