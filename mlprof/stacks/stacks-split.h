/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a function of each copy of a function (-split, as in MLton), for evaluate.c, so
   that all views show the copies apart.  */

#ifndef MLPROF_STACKS_SPLIT_H
#define MLPROF_STACKS_SPLIT_H

#include "mlprof/names/names.h"
#include "mlprof/stacks/stacks.h"

/* Gives each copy in STACKS of the functions that PATTERNS mean (names_match) a source
   of its own, which is like the function's; allocation sites get the source of their
   copy.  What is not known by copy stays with the function's own source.  False and FAULT
   if a pattern means no function in STACKS.  */
bool stacks_split(struct stacks *stacks, const struct patterns *patterns,
                  const struct names_style *style, struct fault *fault);

#endif
