/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often each block of the current function is likely to be executed, before GCC has
   guessed at that itself: from its loops, and from what it knows never to be common.  */

#ifndef CCPROF_ESTIMATE_H
#define CCPROF_ESTIMATE_H

/* For each block by its index, 1 for the entry; the caller frees it with memory_free.  */
double *estimate_blocks(void);

/* The part of its block's executions that take the edge.  */
double estimate_share(edge e);

#endif
