/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The critical path as a part of -waits. Used by waits.c. */

#ifndef MLPROF_WAITS_PATH_H
#define MLPROF_WAITS_PATH_H

#include "mlprof/view/views.h"

/* The table of the critical path (waits-path.c), and its rows for data formats. */
extern const struct table_view waits_path_table;
void waits_fill_path(struct table *table, const struct view *view,
                     const struct pattern *pattern);

/* Prints at most MOST rows of the critical path; 0: all. Prints nothing if it is not
   known. */
void waits_print_path(FILE *out, const struct view *view, size_t most);

#endif
