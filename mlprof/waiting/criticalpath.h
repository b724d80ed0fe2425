/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the critical path of a run: what the end of the program waited for, step by step
   backwards in time. It goes from a thread that waits to the thread that ended the wait
   (C. Yang and B. Miller, "Critical Path Analysis for the Execution of Parallel and
   Distributed Programs", 1988). Only a shorter step can make the program end earlier. */

#ifndef MLPROF_CRITICALPATH_H
#define MLPROF_CRITICALPATH_H

#include "mlprof/profile/waitdata.h"

/* A step: a thread ran or waited for a processor; or it waited for something that is
   outside of the program, or that nobody knows, or for a lock until its last holder could
   take it: who held it before is not known. Nanoseconds since the start of
   measuring. */
struct criticalpath_step {
    uint32_t thread; /* number of its name in the profile */
    uint32_t wait;   /* number of the wait, or WAITDATA_NONE: it ran */
    uint64_t from, to;
};

/* All steps in which a thread ran, or all of its waits for the same at the same call. */
struct criticalpath_sum {
    uint32_t thread;
    uint32_t wait; /* one of the waits, or WAITDATA_NONE: it ran */
    uint64_t time, count;
};

struct criticalpath {
    BUF_VECTOR(struct criticalpath_step) steps; /* the last one first */
    BUF_VECTOR(struct criticalpath_sum) sums;   /* by decreasing time */
    uint64_t time;                              /* sum of all steps */
    /* Waits of at most this time may be missing, so that they look like running. */
    uint64_t blur;
};

/* Fills PATH, which is all zeros; freed by criticalpath_free. It stays without steps if
   the single waits are not known, as after a merge. */
void criticalpath_find(struct criticalpath *path, const struct waitdata *waits);

void criticalpath_free(struct criticalpath *path);

#endif
