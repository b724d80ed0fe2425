/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the source functions of which no machine code is left, so that no sample can show
   them.  For rows.c.  */

#ifndef MLPROF_WITHOUT_CODE_H
#define MLPROF_WITHOUT_CODE_H

#include "mlprof/stacks/stacks.h"

/* Sets whether each source of STACKS has machine code; adds to STACKS the sources that
   are missing.  */
void without_code_find(struct stacks *stacks, const struct program *program);

#endif
