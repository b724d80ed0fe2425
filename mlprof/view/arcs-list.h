/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints for each call site of a function whom it called how often.  */

#ifndef MLPROF_ARCS_LIST_H
#define MLPROF_ARCS_LIST_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/view/view.h"

/* Marks the rows that match and that have calls; returns how many.  */
size_t arcs_list_find(const struct view *view, const struct pattern *pattern,
                      bool *wanted);

/* The first line above such tables alone: calls, also where time was sampled.  */
void arcs_list_print_header(FILE *out, const struct view *view);

/* A table for each of them.  */
void arcs_list_print(FILE *out, const struct view *view, const bool *wanted);

#endif
