/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names what -heap shows, for whoever asks for it.  */

#ifndef MLPROF_HEAPVIEW_H
#define MLPROF_HEAPVIEW_H

#include "mlprof/profile/heapdata.h"
#include "mlprof/view/views.h"

enum heapview_what {
    HEAPVIEW_NOTHING,
    HEAPVIEW_LIVE,
    HEAPVIEW_PEAK,
    HEAPVIEW_LEAKS,
    HEAPVIEW_TOTAL,
    HEAPVIEW_TEMPORARY,
    HEAPVIEW_LIFETIMES
};

/* What the amounts are of where WHAT is asked for; live where nothing is.  */
enum heapdata_measure heapview_measure(enum heapview_what what);

/* The same for comparisons and gates, which compare what is alive in place of leaks.  */
enum heapdata_measure heapview_compared(enum heapview_what what);

/* Whether what is asked of the heap can be told of a range of time; otherwise FAULT.  */
bool heapview_check_range(const struct view *view, const struct views_asked *asked,
                          struct fault *fault);

/* Prints which wrappers of allocators are not shown.  */
void heapview_print_wrappers(FILE *out, const char *names);

#endif
