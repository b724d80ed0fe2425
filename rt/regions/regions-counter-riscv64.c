/* SPDX-License-Identifier: MIT */
/* A clock for regions: the time counter of riscv64, which is the same on all
   processors of a machine. Runs in the program's calls. */

#include <stdint.h>

static inline uint64_t counter_read(void)
{
    uint64_t ticks;
    __asm__ volatile("rdtime %0" : "=r"(ticks));
    return ticks;
}

#define REGIONS_TICKS() counter_read()
#include "rt/regions/regions-hot.h"

static bool counter_is_usable(void)
{
    return true;
}

const struct regions_clock ccprof_regions_counter = {
    .name = "rdtime", .is_usable = counter_is_usable, REGIONS_CLOCK_CALLS};
