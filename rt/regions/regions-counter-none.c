/* SPDX-License-Identifier: MIT */
/* Stands in on processors of which no counter is known.  */

#include "rt/regions/regions-inside.h"

static bool counter_is_usable(void)
{
    return false;
}

const struct regions_clock ccprof_regions_counter = {.is_usable = counter_is_usable};
