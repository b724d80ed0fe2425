/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says by what allocations are listed, and prints what such a list lacks.  */

#ifndef MLPROF_ALLOCVIEW_H
#define MLPROF_ALLOCVIEW_H

#include "mlprof/view/view.h"

enum allocview_by {
    ALLOCVIEW_NONE,
    ALLOCVIEW_SITE, /* the position of the call, the type and the allocator */
    ALLOCVIEW_TYPE,
    /* The innermost frame outside of libraries, and the library function that it
       called.  */
    ALLOCVIEW_PATH
};

/* Prints which allocations the list by BY lacks, or has without an owner.  */
void allocview_print_missing(FILE *out, const struct view *view, enum allocview_by by);

/* Whether PROGRAM counts allocations, and std::string's are not among these.  */
bool allocview_lacks_strings(const struct program *program);

/* Says so, below a table.  */
void allocview_print_strings(FILE *out);

#endif
