/* SPDX-License-Identifier: MIT */
/* Recognizes nothing, for processors for which the plugin writes no stores.  */

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
