/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what was allocated, by site, by type, or by what the program itself did.  */

#ifndef MLPROF_ALLOCVIEW_H
#define MLPROF_ALLOCVIEW_H

#include "mlprof/view/view.h"

enum allocview_by {
    ALLOCVIEW_NONE,
    ALLOCVIEW_SITE, /* the position of the call, the type and the allocator */
    ALLOCVIEW_TYPE,
    ALLOCVIEW_PATH /* the innermost frame outside of libraries, and what it called there
                    */
};

/* The first line above such a table alone: bytes, also where time was sampled.  */
void allocview_print_header(FILE *out, const struct view *view);

/* Most bytes first.  Percentages are of all bytes.  Files that LIBRARIES are found in are
   those of libraries, too.  */
void allocview_print(FILE *out, const struct view *view, enum allocview_by by,
                     const struct patterns *libraries);

/* Prints what these numbers do not have, or do not know whose it is, if there is such. */
void allocview_print_missing(FILE *out, const struct view *view, enum allocview_by by,
                             const struct patterns *libraries);

#endif
