/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the heap over time: by bucket, and for the memory allocated in a range of
   time. */

#ifndef MLPROF_HEAPRANGES_H
#define MLPROF_HEAPRANGES_H

#include "mlprof/base/fault.h"
#include "mlprof/profile/heapdata.h"

/* Memory allocated in a bucket, and the part of it in use when the file was written. */
struct heapranges_sum {
    struct heapdata_amount made, left;
};

/* Adds up by bucket. If blocks were sampled, the sums are estimates. SUMS has
   CCPROF_SPANS elements. */
void heapranges_add_up(struct heapranges_sum *sums, const struct heapdata *heap);

/* The range of time that the user gave, in seconds. All zero: none. */
struct heapranges_request {
    bool given;
    double from, to; /* TO is infinite if the range ends with the run */
};

/* Reads FROM-TO or FROM-. Returns NULL, or an error message to be freed. */
char *heapranges_read(struct heapranges_request *request, const char *word);

/* Restricts the heap to memory allocated in the buckets of the range. The cells of the
   heap must be known. The heap then has three measures of this memory: its total; the
   memory in use at the end of the last of these buckets (if AT_END, at the end of the
   run); and the memory freed by then. Other measures are unknown. If the range is
   outside the run, returns false and sets FAULT, which names OPTION. */
bool heapranges_select(struct heapdata *heap, const struct heapranges_request *request,
                       bool at_end, const char *option, struct fault *fault);

#endif
