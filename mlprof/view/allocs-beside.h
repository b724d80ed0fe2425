/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says below a list of allocations how much was allocated beside them: by libraries, and
   by what was not compiled with the kind alloc, if the run has measured the heap, too.
   For show.c and the page.  */

#ifndef MLPROF_ALLOCS_BESIDE_H
#define MLPROF_ALLOCS_BESIDE_H

#include "mlprof/view/view.h"

#include <stdio.h>

/* Prints nothing where that is not known, of a part of the stacks, and in MLton's
   layout.  */
void allocs_beside_print(FILE *out, const struct view *view);

#endif
