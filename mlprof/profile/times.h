/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds when samples were taken: how many of each owner, a point of a profile or a frame,
   in each bucket of the time on the clock.  */

#ifndef MLPROF_TIMES_H
#define MLPROF_TIMES_H

#include "mlprof/profile/shares.h"

/* Buckets are numbered below this.  */
#define TIMES_BUCKETS 65536

/* All zero has no times.  */
struct times {
    uint64_t width, span; /* nanoseconds of a bucket, and of all of them up to the end;
                             width 0: there are no times */
    struct shares shares; /* of the buckets */
};

#endif
