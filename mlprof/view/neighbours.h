/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the callers or callees of a function that are to be shown, for the views that
   list them.  */

#ifndef MLPROF_NEIGHBOURS_H
#define MLPROF_NEIGHBOURS_H

#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/groups.h"
#include "mlprof/view/pairs-table.h"

enum neighbours_side { NEIGHBOURS_CALLERS, NEIGHBOURS_CALLEES };

struct neighbours {
    const struct view *view;
    enum neighbours_side side;
    uint32_t row; /* the function whose neighbours are found */
    /* In the order of the style: by name, or by decreasing weight.  */
    struct pairs_table_row *found;
    size_t count;
    /* The rows' edges, grouped by the row on the other side than SIDE.  */
    struct groups edges;
    struct arcs_neighbours arcs; /* used in place of EDGES if calls were counted */
};

/* Makes NEIGHBOURS, which neighbours_free frees, ready for the rows of VIEW.  */
void neighbours_begin(struct neighbours *neighbours, const struct view *view,
                      enum neighbours_side side);

/* Sets FOUND to the direct callers or callees of ROW whose weight reaches the
   threshold.  */
void neighbours_find(struct neighbours *neighbours, uint32_t row);

void neighbours_free(struct neighbours *neighbours);

/* Whether a neighbour has bounds in place of a count.  */
bool neighbours_estimated(const struct neighbours *neighbours);

/* Adds the neighbours found to TABLE, but no more than the style allows.  */
void neighbours_add(struct table *table, const struct neighbours *neighbours);

#endif
