/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the heap over time: by bucket, and what was allocated in a range of time.  */

#ifndef MLPROF_HEAPRANGES_H
#define MLPROF_HEAPRANGES_H

#include "mlprof/profile/heapdata.h"

/* What was made in a bucket, and what of that was alive when the file was written.  */
struct heapranges_sum {
    struct heapdata_amount made, left;
};

/* Adds up by bucket; of blocks that were sampled estimates.  SUMS has CCPROF_SPANS.  */
void heapranges_add_up(struct heapranges_sum *sums, const struct heapdata *heap);

#endif
