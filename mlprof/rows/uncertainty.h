/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up for each source the samples whose charge is uncertain, for rows.c: samples of
   two instructions that the processor ended at once (skid.h), and that belong to two
   sources.  */

#ifndef MLPROF_UNCERTAINTY_H
#define MLPROF_UNCERTAINTY_H

#include "mlprof/rows/branch.h"

/* Sets the trust of the sources of STACKS, which were built from PROGRAM; adds to STACKS
   the sources that are missing.  Branches are sources, too.  */
void uncertainty_find(struct stacks *stacks, const struct program *program,
                      struct branches *branches);

#endif
