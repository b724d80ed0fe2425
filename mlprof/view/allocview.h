/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells by what allocations are listed, and what such a list does not have.  */

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

/* Prints what the numbers of BY do not have, or do not know whose it is, if there is
 * such.
 */
void allocview_print_missing(FILE *out, const struct view *view, enum allocview_by by);

#endif
