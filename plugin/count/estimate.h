/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate: guesses how often each block of the current function is executed, for
   edges.cc, before GCC itself has guessed: from the function's loops, and from what
   GCC knows never to be common.  */

#ifndef CCPROF_ESTIMATE_H
#define CCPROF_ESTIMATE_H

/* By the block's index.  */
struct estimate {
    double *frequencies; /* 1 for the entry */
    double *weights;     /* of all edges out of it; estimate's own */
};

struct estimate estimate_make(void);
void estimate_free(const struct estimate *estimate);

/* The share of its block's executions that take the edge.  */
double estimate_share(const struct estimate *estimate, edge e);

#endif
