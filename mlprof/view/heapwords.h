/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts about the heap that several views, export formats and the page share. */

#ifndef MLPROF_HEAPWORDS_H
#define MLPROF_HEAPWORDS_H

#include "mlprof/base/fault.h"
#include "mlprof/profile/profile.h"
#include "mlprof/view/views.h"

#include <stdio.h>

/* The message for a profile without the heap. */
#define HEAPWORDS_NONE                                                                   \
    "the heap was not measured: run the program with CCPROF=heap or CCPROF=heap=exact"

/* Returns whether the heap over time is known; FILES is the number of data files. If
   not, sets FAULT for OPTION. */
bool heapwords_check_times(const struct heapdata *heap, uint64_t files,
                           const char *option, struct fault *fault);

/* Returns whether the requested view of the heap can show a range of time. If not,
   sets FAULT. */
bool heapwords_check_range(const struct view *view, struct fault *fault);

/* Returns a sentence that says that the amounts are estimates, the number of samples,
   and the confidence interval of the sum. The caller frees it. Blocks must have been
   sampled. */
char *heapwords_samples(const struct heapdata *heap, enum heapdata_measure measure);

/* Returns the bounds of an interval of bytes as text. The caller frees it. */
char *heapwords_range(struct statistics_interval range);

/* Prints the first line of a report: the bytes and blocks of MEASURE. If blocks were
   sampled, it includes the number of samples. */
void heapwords_head(FILE *out, const struct heapdata *heap,
                    enum heapdata_measure measure);

/* Prints below a report which memory was not counted or not seen. */
void heapwords_foot(FILE *out, const struct view *view);

/* Prints which wrappers of allocators are not shown. */
void heapwords_wrappers(FILE *out, const char *names);

#endif
