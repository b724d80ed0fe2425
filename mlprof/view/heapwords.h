/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts about the heap that several views, formats and the page share.  */

#ifndef MLPROF_HEAPWORDS_H
#define MLPROF_HEAPWORDS_H

#include "mlprof/base/fault.h"
#include "mlprof/profile/profile.h"
#include "mlprof/view/views.h"

#include <stdio.h>

/* The message for a profile without the heap.  */
#define HEAPWORDS_NONE                                                                   \
    "the heap was not measured: run the program with CCPROF=heap or CCPROF=heap=exact"

/* Whether the heap over time is known; FILES is the number of data files.  Otherwise
   false and FAULT of OPTION.  */
bool heapwords_check_times(const struct heapdata *heap, uint64_t files,
                           const char *option, struct fault *fault);

/* Whether the requested view of the heap can show a range of time; otherwise FAULT.  */
bool heapwords_check_range(const struct view *view, struct fault *fault);

/* A sentence saying that the amounts are estimates, from how many samples, with the
   interval of their sum; to be freed.  Blocks must have been sampled.  */
char *heapwords_samples(const struct heapdata *heap, enum heapdata_measure measure);

/* The bounds of an interval of bytes in words, to be freed.  */
char *heapwords_range(const struct statistics_interval *range);

/* Prints the first line of a report: bytes and blocks of MEASURE, and the number of
   samples if blocks were sampled.  */
void heapwords_head(FILE *out, const struct heapdata *heap,
                    enum heapdata_measure measure);

/* Prints below a report which memory was not counted or not seen.  */
void heapwords_foot(FILE *out, const struct view *view);

/* Prints which wrappers of allocators are not shown.  */
void heapwords_wrappers(FILE *out, const char *names);

#endif
