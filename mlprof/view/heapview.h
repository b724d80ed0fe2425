/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks what is asked of the heap and tells of it, for whoever shows it.  */

#ifndef MLPROF_HEAPVIEW_H
#define MLPROF_HEAPVIEW_H

#include "mlprof/view/views.h"

/* Whether what is asked of the heap can be told of a range of time; otherwise FAULT.  */
bool heapview_check_range(const struct view *view, const struct views_asked *asked,
                          struct fault *fault);

/* Prints which wrappers of allocators are not shown.  */
void heapview_print_wrappers(FILE *out, const char *names);

#endif
