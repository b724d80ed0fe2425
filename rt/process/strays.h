/* SPDX-License-Identifier: MIT */
/* Threads that count and that nobody has told of (birth.h), in executables, whose
   counters are in each thread's own storage: such a thread adds what it has counted to
   the totals by itself, in the handler of a signal; for its storage is gone when it has
   ended.  */

#ifndef CCPROF_STRAYS_H
#define CCPROF_STRAYS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Asks all that there are, and waits for them a while.  Returns how many there have been,
   as far as they were seen, of which a part is not in the totals: that have ended since,
   or that cannot be asked.  Outside of handlers, one thread at a time.  */
uint64_t ccprof_strays_gather(void);

/* Whether the signal asks.  The thread answers.  SIGPROF's handler.  */
bool ccprof_strays_is_call(const siginfo_t *info);
void ccprof_strays_answer(void);

#endif
