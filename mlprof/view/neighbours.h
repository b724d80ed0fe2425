/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the callers or callees of a function that are shown, for the views that list
   them.  */

#ifndef MLPROF_NEIGHBOURS_H
#define MLPROF_NEIGHBOURS_H

#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/groups.h"
#include "mlprof/view/view.h"

#define NEIGHBOURS_OUTSIDE "<outside>"

enum neighbours_side { NEIGHBOURS_CALLERS, NEIGHBOURS_CALLEES };

/* Another function, and the samples of the calls from or to it.  */
struct neighbours_one {
    uint32_t row; /* STACKS_NONE: outside; ARCS_OTHERS */
    uint64_t weight;
    struct arcs_calls calls; /* if calls are what was counted */
};

struct neighbours {
    const struct view *view;
    enum neighbours_side side;
    struct neighbours_one *found; /* in the style's order: by name, or the greatest weight
                                     first */
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

/* Puts the name of ROW, as of one found, into a sheet's last cell.  */
void neighbours_put_name(struct sheet *sheet, const struct view *view, uint32_t row);

#endif
