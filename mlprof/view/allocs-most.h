/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says below a list of allocations, if one function has allocated more than half, how to
   see who calls this function: often it allocates for others, as wrappers of malloc do.
   For show.c and the page.  */

#ifndef MLPROF_ALLOCS_MOST_H
#define MLPROF_ALLOCS_MOST_H

#include "mlprof/view/allocview.h"

#include <stdio.h>

/* Prints nothing below a list by type, of a program's main function, and in MLton's
   layout.  */
void allocs_most_print(FILE *out, const struct view *view, enum allocview_by by);

#endif
