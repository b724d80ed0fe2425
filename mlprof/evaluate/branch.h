/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches as rows of their own, named as MLton names them: f.<case true>, f.<case 3>. */

#ifndef MLPROF_BRANCH_H
#define MLPROF_BRANCH_H

#include "mlprof/evaluate/flowcounts.h"
#include "mlprof/evaluate/rows.h"

/* Adds a row for each way that the conditions and switches of the flows go, how often it
   was taken and where it leads; ALL false: only of functions that were compiled so.  Of
   several branches of one line the second is <case true 2>, and so on.  */
void branch_add_rows(struct rows *rows, const struct flowcounts *counts,
                     const struct profile *profile, bool all);

#endif
