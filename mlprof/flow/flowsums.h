/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up what the counters of edges have counted, for flowcounts.c and arccounts.c.  */

#ifndef MLPROF_FLOWSUMS_H
#define MLPROF_FLOWSUMS_H

#include "mlprof/profile/profile.h"
#include "mlprof/tables/countertables.h"

/* The largest count that each GCC has of anything (profile-count.h, max_count): 16 has a
   bit less than 12 to 15.  */
#define FLOWSUMS_MOST (((int64_t)1 << 60) - 2)

/* SUM, or that number if it is larger.  */
int64_t flowsums_clamp(__int128 sum);

/* What the COUNT counters of a MODULE of PROFILE add up to, by edge, EDGES of all graphs,
   of which FIRST has the first one of each graph; to be freed.  */
int64_t *flowsums_add_up(const struct edgeterms_counter *counters, size_t count,
                         const struct profile *profile, uint32_t module,
                         const size_t *first, size_t edges);

#endif
