/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a profile from samples that say how many threads ran: each sample is divided by
   this number. The sum is the time in which any thread ran. Used by report/. */

#ifndef MLPROF_LATENCYPOINTS_H
#define MLPROF_LATENCYPOINTS_H

#include "mlprof/profile/profile.h"

/* Return the least and the most that the parallelism of a point of module
   PROFILE_PARALLELISM may be. */
static inline uint32_t latencypoints_least(uint64_t address)
{
    return (uint32_t)address >> 16;
}
static inline uint32_t latencypoints_most(uint64_t address)
{
    return (uint32_t)address & 0xffff;
}

/* Returns the parallelism as text, freed by free. */
char *latencypoints_text(uint64_t address);

/* Returns whether the samples of PROFILE have the parallelism. */
bool latencypoints_known(const struct profile *profile);

/* Fills POINTS with PROFILE, whose samples count for a part of their time; freed by
   profile_free_derived. Everything except the points and times belongs to PROFILE, which
   must live as long. If the parallelism has bounds, the mean of both latencies is used.
 */
void latencypoints_make(struct profile *points, const struct profile *profile);

/* Returns the bounds of the latency of all samples of PROFILE in seconds. */
struct statistics_interval latencypoints_bounds(const struct profile *profile);

#endif
