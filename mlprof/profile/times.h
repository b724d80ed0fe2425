/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds when samples were taken: how many samples of each owner, a point of a profile or
   a frame, are in each bucket of time.  */

#ifndef MLPROF_TIMES_H
#define MLPROF_TIMES_H

#include "mlprof/profile/shares.h"

/* Buckets are numbered below this.  */
#define TIMES_BUCKETS 65536

/* All zero: there are no times.  */
struct times {
    /* In nanoseconds: a bucket's width, and the time of all buckets up to the end.  Width
       0: there are no times.  */
    uint64_t width, span;
    struct shares shares; /* bins are buckets */
};

#endif
