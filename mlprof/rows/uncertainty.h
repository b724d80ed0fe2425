/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up for each source the samples that are charged to it and may be another's, since
   the processor has ended what both did at once (skid.h).  For rows.c.  */

#ifndef MLPROF_UNCERTAINTY_H
#define MLPROF_UNCERTAINTY_H

#include "mlprof/rows/branch.h"

/* Tells the sources of STACKS, which were built from the program, in which it puts those
   that are missing.  Branches are sources, too.  */
void uncertainty_find(struct stacks *stacks, const struct program *program,
                      struct branches *branches);

#endif
