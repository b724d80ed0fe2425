/* SPDX-License-Identifier: MIT */
/* A clock for regions: the kernel's monotonic clock. It is used if the processor's
   counter is not reliable. Runs in the program's calls. */

#define _GNU_SOURCE
#include <stdint.h>
#include <time.h>

#define SECOND 1000000000u

/* libc reads this clock without a system call (vDSO). */
static inline uint64_t monotonic_read(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

#define REGIONS_TICKS() monotonic_read()
#include "rt/regions/regions-hot.h"

static bool monotonic_is_usable(void)
{
    return true;
}

static uint64_t monotonic_rate(void)
{
    return SECOND;
}

const struct regions_clock ccprof_regions_monotonic = {.name = "monotonic",
                                                       .is_usable = monotonic_is_usable,
                                                       .rate = monotonic_rate,
                                                       REGIONS_CLOCK_CALLS};
