/* SPDX-License-Identifier: MIT */
/* A clock for regions: the virtual counter of aarch64, which is the same on all
   processors of a machine. Runs in the program's calls. */

#include <stdint.h>

static inline uint64_t counter_read(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}

#define REGIONS_TICKS() counter_read()
#include "rt/regions/regions-hot.h"

static bool counter_is_usable(void)
{
    return true;
}

static uint64_t counter_rate(void)
{
    uint64_t rate;
    __asm__("mrs %0, cntfrq_el0" : "=r"(rate));
    return rate;
}

const struct regions_clock ccprof_regions_counter = {.name = "cntvct",
                                                     .is_usable = counter_is_usable,
                                                     .rate = counter_rate,
                                                     REGIONS_CLOCK_CALLS};
