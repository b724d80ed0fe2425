/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the callers or callees of a function that are shown, for the views that list
   them.  */

#ifndef MLPROF_NEIGHBOURS_H
#define MLPROF_NEIGHBOURS_H

#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/groups.h"
#include "mlprof/view/pairs-table.h"

enum neighbours_side { NEIGHBOURS_CALLERS, NEIGHBOURS_CALLEES };

struct neighbours {
    const struct view *view;
    enum neighbours_side side;
    uint32_t row;                  /* whose neighbours they are */
    struct pairs_table_row *found; /* in the style's order: by name, or the greatest
                                      weight first */
    size_t count;
    struct groups edges;         /* the rows' edges by the row asked for */
    struct arcs_neighbours arcs; /* in place of these if calls are what was counted */
};

/* Makes NEIGHBOURS, which neighbours_free frees, ready for the rows of VIEW.  */
void neighbours_begin(struct neighbours *neighbours, const struct view *view,
                      enum neighbours_side side);

/* Fills what is FOUND of ROW in place of what was before: direct callers or callees whose
   weight reaches the threshold.  */
void neighbours_find(struct neighbours *neighbours, uint32_t row);

void neighbours_free(struct neighbours *neighbours);

/* One of them has bounds in place of a count.  */
bool neighbours_estimated(const struct neighbours *neighbours);

/* Adds what is found to TABLE, no more than the style wants.  */
void neighbours_add(struct table *table, const struct neighbours *neighbours);

#endif
