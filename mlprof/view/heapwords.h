/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names the measures of the heap, one entry for each in one list: for the headings, the
   formats of other programs, comparisons and the page.  */

#ifndef MLPROF_HEAPWORDS_H
#define MLPROF_HEAPWORDS_H

#include "mlprof/base/fault.h"
#include "mlprof/profile/profile.h"

#include <stdio.h>

struct heapwords_measure {
    enum heapdata_measure measure;
    const char *word;   /* of -heap */
    const char *menu;   /* in the page's menu */
    const char *column; /* the beginning of its columns' names in CSV and JSON */
    const char *pprof;  /* the beginning of its two sample types in pprof's format */
    const char *what;   /* of bytes or blocks, behind these words */
};

/* The measures that formats and the page have, the most used first.  */
extern const struct heapwords_measure heapwords_measures[];
extern const size_t heapwords_count;

/* What is said of a profile without the heap.  */
#define HEAPWORDS_NONE                                                                   \
    "the heap was not measured: run the program with CCPROF=heap or CCPROF=heap=exact"

/* Whether the heap over time is known, of data of so many FILES.  Otherwise it is a FAULT
   of OPTION.  */
bool heapwords_check_times(const struct heapdata *heap, uint64_t files,
                           const char *option, struct fault *fault);

/* That the amounts are estimates, of how many samples, and the interval of their sum; to
   be freed.  Blocks must have been sampled.  */
char *heapwords_samples(const struct heapdata *heap, enum heapdata_measure measure);

/* The entry of a measure that -heap can ask for.  */
const struct heapwords_measure *heapwords_of(enum heapdata_measure measure);

/* The bounds of an interval of bytes in words, to be freed.  */
char *heapwords_range(const struct statistics_interval *range);

/* Prints the first line of a report: bytes and blocks of MEASURE, and of samples how many
   there are.  */
void heapwords_head(FILE *out, const struct heapdata *heap,
                    enum heapdata_measure measure);

#endif
