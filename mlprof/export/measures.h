/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what a profile has measured, for the formats that have several measures.  */

#ifndef MLPROF_MEASURES_H
#define MLPROF_MEASURES_H

#include "mlprof/profile/profile.h"

enum measures {
    MEASURES_SAMPLES,
    MEASURES_TIME, /* the samples in nanoseconds of the clock */
    MEASURES_CALLS,
    MEASURES_BLOCKS,
    MEASURES_BYTES,
    MEASURES_ALL /* the number of measures */
};

/* Whether PROFILE has the measure.  A profile of nothing has samples, of which there are
   none.  */
bool measures_has(const struct profile *profile, enum measures measure);

/* The measure of the stacks or, if there are none, of the functions; for samples it is
   the time.  */
enum measures measures_main(const struct profile *profile);

/* UNIT, bytes or blocks, with what they are: `bytes allocated'; to be freed.  */
char *measures_of_memory(const struct profile *profile, const char *unit);

#endif
