/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the heap over time: by bucket, and what was allocated in a range of time.  */

#ifndef MLPROF_HEAPRANGES_H
#define MLPROF_HEAPRANGES_H

#include "mlprof/base/fault.h"
#include "mlprof/profile/heapdata.h"

/* What was made in a bucket, and what of that was alive when the file was written.  */
struct heapranges_sum {
    struct heapdata_amount made, left;
};

/* Adds up by bucket; of blocks that were sampled estimates.  SUMS has CCPROF_SPANS.  */
void heapranges_add_up(struct heapranges_sum *sums, const struct heapdata *heap);

/* A range of time as it is asked for, in seconds.  All zero: none is.  */
struct heapranges_request {
    bool given;
    double from, to; /* TO is infinite if it is the end of the run */
};

/* Reads FROM-TO or FROM-.  Returns an error message, to be freed, or NULL.  */
char *heapranges_read(struct heapranges_request *request, const char *word);

/* Leaves of the heap, whose cells are known, what was allocated in the buckets of the
   range: all that, what of it was alive when the last of these buckets ended, or AT_END
   of the run, and what was freed by then; nothing else is known of it.  False and FAULT
   of OPTION if nothing of the run is in the range.  */
bool heapranges_select(struct heapdata *heap, const struct heapranges_request *request,
                       bool at_end, const char *option, struct fault *fault);

#endif
