/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints for each call site of a function whom it called how often.  */

#ifndef MLPROF_ARCS_LIST_H
#define MLPROF_ARCS_LIST_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/view/view.h"

/* A table for each function whose row matches and that has calls.  Returns how many
   matched.  */
size_t arcs_list_print(FILE *out, const struct view *view, const struct arcs *arcs,
                       const struct pattern *pattern);

#endif
