/* SPDX-License-Identifier: MIT */
/* A clock for regions: the time stamp counter of x86-64. The constructor or the first
   region calls is_usable. The other functions run in the program's calls. */

#define _GNU_SOURCE
#include <cpuid.h>
#include <string.h>

#include "rt/os/file.h"

#define REGIONS_TICKS() __builtin_ia32_rdtsc()
#include "rt/regions/regions-hot.h"

#define ADVANCED  0x80000007u
#define INVARIANT (1u << 8)

/* Returns whether the kernel uses the counters for its own time. The kernel does so
   only if it has found that the counters of all processors agree. Returns true if the
   kernel does not say. */
static bool counter_is_trusted(void)
{
    static const char path[] =
        "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    static const char *const from[] = {"tsc", "kvm-clock", "hyperv_clocksource"};
    char name[32];
    ssize_t size = ccprof_file_start(AT_FDCWD, path, O_RDONLY, name, sizeof name);

    if (size <= 0)
        return true;
    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        if ((size_t)size >= strlen(from[i]) &&
            memcmp(name, from[i], strlen(from[i])) == 0)
            return true;
    return false;
}

/* The counter is usable if it has the same speed in all power states of the processor. */
static bool counter_is_usable(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(ADVANCED, &a, &b, &c, &d) && (d & INVARIANT) != 0 &&
           counter_is_trusted();
}

const struct regions_clock ccprof_regions_counter = {
    .name = "tsc", .is_usable = counter_is_usable, REGIONS_CLOCK_CALLS};
