/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what was allocated, by site or by type.  */

#ifndef MLPROF_ALLOCVIEW_H
#define MLPROF_ALLOCVIEW_H

#include "mlprof/view/view.h"

enum allocview_by {
    ALLOCVIEW_NONE,
    ALLOCVIEW_SITE, /* the position of the call, the type and the allocator */
    ALLOCVIEW_TYPE
};

/* Most bytes first.  Percentages are of all bytes.  */
void allocview_print(FILE *out, const struct view *view, enum allocview_by by);

#endif
