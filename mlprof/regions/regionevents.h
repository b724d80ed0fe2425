/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the calls of regions that the data tells one by one into time order, a lane for
   each thread, and finds how they lie inside each other.  Times are as they were
   measured: what that cost is not subtracted.  For the page and for exports.  */

#ifndef MLPROF_REGIONEVENTS_H
#define MLPROF_REGIONEVENTS_H

#include "mlprof/profile/profile.h"

#include <stddef.h>

struct regionevents_call {
    uint32_t path; /* of the profile */
    uint32_t lane;
    uint32_t row;        /* in the lane from 0 on: below what is around it, at least as
                            deep as its path; calls of one row do not overlap */
    uint64_t start, end; /* nanoseconds from where the process began to be measured */
    uint64_t ticks;      /* how long it took */
};

struct regionevents_lane {
    char *name;      /* `thread 1 NAME', as far as it is known */
    uint64_t number; /* of the thread, as in the data file */
    size_t first, count;
    uint32_t rows;
};

/* Starts as all zero, which has no calls.  */
struct regionevents {
    struct regionevents_call *calls; /* by lane, then by start, then the longest first */
    size_t count;
    struct regionevents_lane *lanes; /* by number; that of unknown threads, 0, is last */
    size_t lane_count, lane_capacity;
    uint64_t least; /* nanoseconds: shorter calls are not here */
    uint64_t end;   /* when the last one ended */
};

/* Fills EVENTS, which regionevents_free frees; of a profile without events they are
   none.  */
void regionevents_fill(struct regionevents *events, const struct profile *profile);

void regionevents_free(struct regionevents *events);

/* Begins and ends of the calls of a lane, in time order and properly nested: where calls
   overlap that are not inside each other, the later one ends with the earlier one, and
   begins again at once.  */
typedef void regionevents_visitor(void *context, const struct regionevents_call *call,
                                  bool begin, uint64_t at);
void regionevents_visit(const struct regionevents *events, size_t lane,
                        regionevents_visitor *visit, void *context);

#endif
