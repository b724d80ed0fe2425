/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count: each source function counts its calls, with a counter (counter.h) that the
   function's first statement adds 1 to, before anything is inlined: so every inlined copy
   counts, and what the optimisers delete leaves a counter behind.  */

#ifndef CCPROF_COUNT_H
#define CCPROF_COUNT_H

/* Whether what the function does is counted: it is not excluded.  */
bool count_wants(tree function);

#endif
