/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes functions of the copies of a function, for evaluate.c, so that all views show
   each for itself: -split, as in MLton.  */

#ifndef MLPROF_STACKS_SPLIT_H
#define MLPROF_STACKS_SPLIT_H

#include "mlprof/names/names.h"
#include "mlprof/stacks/stacks.h"

/* Gives each copy in STACKS of the functions that PATTERNS mean (names_match_in) a source
   of its own that is like theirs, and each allocation that of its copy.  What is not
   known by copy stays with the function's own source.  A FAULT if a pattern means no
   function in STACKS.  */
bool stacks_split(struct stacks *stacks, const struct patterns *patterns,
                  const struct names_style *style, struct fault *fault);

#endif
