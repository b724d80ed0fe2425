/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds how certain it is which samples belong to a source, for rows.c.  Both functions
   add to STACKS, which were built from PROGRAM, the sources that are missing.  */

#ifndef MLPROF_TRUST_H
#define MLPROF_TRUST_H

#include "mlprof/rows/branch.h"

/* Adds up for each source the samples whose charge is uncertain: samples of two
   instructions that the processor ended at once (skid.h), and that belong to two sources.
   Branches are sources, too.  */
void trust_find_uncertain(struct stacks *stacks, const struct program *program,
                          struct branches *branches);

/* Sets whether each source has machine code: no sample can show those that have none. */
void trust_find_coded(struct stacks *stacks, const struct program *program);

#endif
