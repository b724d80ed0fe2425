/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a profile from waits: its points have nanoseconds of waiting instead of samples,
   so that stacks can be built from waits in the same way as from samples. Used by
   report/.

   Below the call that waits, there is a point of module PROFILE_WAIT, which says why the
   thread waits and for what. */

#ifndef MLPROF_WAITPOINTS_H
#define MLPROF_WAITPOINTS_H

#include "mlprof/profile/profile.h"

/* Return the reason of a point of module PROFILE_WAIT, and the number of its object, or
   WAITDATA_NONE. */
static inline enum ccprof_wait_reason waitpoints_reason(uint64_t address)
{
    return (enum ccprof_wait_reason)(address >> 32);
}
static inline uint32_t waitpoints_object(uint64_t address)
{
    return (uint32_t)address;
}

/* Returns whether only waiting was measured. */
bool waitpoints_alone(const struct profile *profile);

/* Fills POINTS with PROFILE as if only waiting had been measured; freed by
   profile_free_derived. Everything except the points belongs to PROFILE, which must live
   as long. With VARIANCE, a point has the variance of its time instead, see
   WAITPOINTS_TICK. */
void waitpoints_make(struct profile *points, const struct profile *profile,
                     bool variance);

/* A variance of 1 is the square of this number of nanoseconds. */
#define WAITPOINTS_TICK 1e5

#endif
