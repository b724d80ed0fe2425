/* SPDX-License-Identifier: MIT */
/* The clock of processors whose counter is not supported: it is never usable.  */

#include "rt/regions/regions-inside.h"

static bool counter_is_usable(void)
{
    return false;
}

const struct regions_clock ccprof_regions_counter = {.is_usable = counter_is_usable};
