/* SPDX-License-Identifier: MIT */
/* Collects the counts of unregistered threads: the runtime has not seen their creation
   (thread-create.h). In an executable, the counters are in thread-local storage, which
   disappears when the thread ends. Therefore each of these threads gets a SIGPROF,
   and its handler adds the thread's counts to the totals.

   Owns the list of the threads that are asked. Only sigprof.c calls these functions:
   gather and exist when a file is written, in one thread at a time, and the others in
   the handler. */

#ifndef CCPROF_UNREGISTERED_H
#define CCPROF_UNREGISTERED_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns whether there may be counts of unregistered threads. */
bool ccprof_unregistered_exist(void);

/* Asks the threads and waits for them, at most 0.1 s. IS_INSTALLED: returns whether
   SIGPROF has the runtime's handler; threads are asked only while it has. Returns the
   number of threads whose counts are missing: known threads that have ended since, and
   threads that could not be asked. */
uint64_t ccprof_unregistered_gather(bool (*is_installed)(void));

/* Returns whether the signal asks the calling thread for its counts. */
bool ccprof_unregistered_is_query(const siginfo_t *info);

/* Adds the calling thread's counts to the totals. */
void ccprof_unregistered_answer(void);

#endif
