/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the calls of regions that the data list one by one into time order, a lane for
   each thread, and finds how they are nested.  For the page and for exports.  The cost of
   measuring is not subtracted from the times.  */

#ifndef MLPROF_REGIONEVENTS_H
#define MLPROF_REGIONEVENTS_H

#include "mlprof/profile/profile.h"

#include <stddef.h>

struct regionevents_call {
    uint32_t path; /* number in the profile */
    uint32_t lane;
    /* In the lane, from 0 on: below the row of the call around it, and at least as deep
       as its path.  Calls in one row do not overlap.  */
    uint32_t row;
    uint64_t start, end; /* nanoseconds from when measuring began in the process */
    uint64_t ticks;      /* the duration */
};

struct regionevents_lane {
    char *name;      /* `thread 1 NAME', or as much of it as is known */
    uint64_t number; /* of the thread, as in the data file */
    size_t first, count;
    uint32_t rows;
};

/* All zero: there are no calls.  */
struct regionevents {
    struct regionevents_call *calls; /* by lane, then by start, then the longest first */
    size_t count;
    /* By number; the lane of unknown threads, number 0, is last.  */
    struct regionevents_lane *lanes;
    size_t lane_count, lane_capacity;
    uint64_t least; /* in nanoseconds; shorter calls are not in the data */
    uint64_t end;   /* when the last call ended */
};

/* Fills EVENTS, which regionevents_free frees.  There are no calls if PROFILE has no
   events.  */
void regionevents_fill(struct regionevents *events, const struct profile *profile);

void regionevents_free(struct regionevents *events);

/* Called at the begin and end of each call of a lane, in time order and properly nested.
   If a call overlaps another without being inside it, the later call ends when the
   earlier ends, and begins again at once.  */
typedef void regionevents_visitor(void *context, const struct regionevents_call *call,
                                  bool begin, uint64_t at);
void regionevents_visit(const struct regionevents *events, size_t lane,
                        regionevents_visitor *visit, void *context);

#endif
