/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts the individually recorded calls of regions by time, with a lane for each
   thread, and determines how they are nested. For the page and the views of regions.
   The cost of measuring is not subtracted. */

#ifndef MLPROF_REGIONEVENTS_H
#define MLPROF_REGIONEVENTS_H

#include "mlprof/base/buf.h"
#include "mlprof/profile/profile.h"

#include <stddef.h>

struct regionevents_call {
    uint32_t path; /* number in the profile */
    uint32_t lane;
    /* Row in the lane, from 0. It is greater than the row of the call around it, and
       at least the depth of the path. Calls in the same row do not overlap. */
    uint32_t row;
    uint64_t start, end; /* nanoseconds since measuring began in the process */
    uint64_t ticks;      /* the duration */
};

/* All zero: there are no calls. */
struct regionevents {
    /* Sorted by lane, then start, then descending duration. */
    struct regionevents_call *calls;
    size_t count;
    /* The name of each lane: `thread 1 NAME', or only the thread's number or name if the
       other is unknown. Sorted by number. The lane of unknown threads is last. */
    BUF_VECTOR(char *) lanes;
    uint64_t least; /* in nanoseconds; shorter calls are not in the data */
    uint64_t end;   /* end of the last call */
};

/* Fills EVENTS. The caller frees it with regionevents_free. EVENTS is empty if
   PROFILE has no recorded calls. */
void regionevents_fill(struct regionevents *events, const struct profile *profile);

void regionevents_free(struct regionevents *events);

#endif
