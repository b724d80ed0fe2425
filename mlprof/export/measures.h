/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what a profile has measured, for the formats that tell of several measures.  */

#ifndef MLPROF_MEASURES_H
#define MLPROF_MEASURES_H

#include "mlprof/profile/profile.h"

enum measures {
    MEASURES_SAMPLES,
    MEASURES_TIME, /* nanoseconds of the clock: the samples once more */
    MEASURES_CALLS,
    MEASURES_BLOCKS,
    MEASURES_BYTES,
    MEASURES_ALL /* how many there are */
};

/* PROFILE has it; one of nothing has samples, none.  */
bool measures_has(const struct profile *profile, enum measures measure);

/* The one that the stacks are of, or if there are none the functions; not samples, but
   time.  */
enum measures measures_main(const struct profile *profile);

#endif
