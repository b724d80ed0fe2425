/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads clocks, and has the units of their times. */

#ifndef MLPROF_CLOCK_H
#define MLPROF_CLOCK_H

#include <stdint.h>
#include <time.h>

#define MS_OF_SECOND 1000
#define NS_OF_MS     UINT64_C(1000000)
#define NS_OF_SECOND UINT64_C(1000000000)

/* Returns TIME in nanoseconds. */
static inline uint64_t clock_of(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * NS_OF_SECOND + (uint64_t)time->tv_nsec;
}

/* Returns the nanoseconds of CLOCK, for example CLOCK_REALTIME: since 1970. */
static inline uint64_t clock_ns(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return clock_of(&time);
}

/* Returns the milliseconds of CLOCK_MONOTONIC. */
static inline uint64_t clock_ms(void)
{
    return clock_ns(CLOCK_MONOTONIC) / NS_OF_MS;
}

#endif
