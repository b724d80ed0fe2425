/* SPDX-License-Identifier: MIT */
/* For processors without stores into the field: recognizes no store. */

#include "rt/unwind/cpu.h"

bool ccprof_store_interrupted(const void *context, intptr_t offset, uint64_t *site)
{
    (void)context;
    (void)offset;
    (void)site;
    return false;
}
