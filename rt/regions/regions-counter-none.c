/* SPDX-License-Identifier: MIT */
/* The counter of processors without a supported counter. It is never usable as a
   clock. */

#include "rt/regions/regions-inside.h"

static bool counter_is_usable(void)
{
    return false;
}

const struct regions_clock ccprof_regions_counter = {.is_usable = counter_is_usable};
