/* SPDX-License-Identifier: MIT */
/* Keeps for the whole process which target the call of a site had first, for the plugin's
   calls of the runtime.  The code compares with that target by itself and tells the
   runtime of others alone (targets.h): mlprof knows how often the site was executed, and
   so what is left for the first one.  A child process inherits them, as it inherits the
   words that the code compares with.  */

#ifndef CCPROF_FIRSTS_H
#define CCPROF_FIRSTS_H

#include <stdbool.h>
#include <stdint.h>

/* Sets WORD, which the code at the site compares with, to the site's first target: TARGET
   if there was none.  The address of WORD stands for the site.  Returns whether the call
   of TARGET is the first one's, and so not to be counted.  Any thread, handlers
   included.  */
bool ccprof_firsts_is(uint64_t *word, const void *target);

/* In the child of a fork, where there is one thread.  */
void ccprof_firsts_forked(void);

/* Visits the first target of each site until VISIT returns nonzero; returns what VISIT
   returned last, or 0.  Async-signal-safe; any thread.  */
typedef int ccprof_firsts_visit(void *context, uint64_t site, uint64_t target);
int ccprof_firsts_each(ccprof_firsts_visit *visit, void *context);

/* Returns whether a site has a first target.  */
bool ccprof_firsts_any(void);

#endif
