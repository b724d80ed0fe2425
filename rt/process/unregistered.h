/* SPDX-License-Identifier: MIT */
/* Collects, before a file is written, the counts of threads that the runtime was not told
   of (thread-create.h).  In an executable the counters are in each thread's own storage,
   which is gone when the thread has ended.  So each of these threads gets a signal, and
   its handler adds its counts to the totals.  */

#ifndef CCPROF_UNREGISTERED_H
#define CCPROF_UNREGISTERED_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Asks all unregistered threads and waits for them, 0.1 s at most.  Returns for how many
   threads the totals are incomplete: those that were seen and have ended since, and those
   that could not be asked.  Not in handlers; one thread at a time.  */
uint64_t ccprof_unregistered_gather(void);

/* For unregistered-gather.c: the threads that are asked, or cannot be asked (mute), and
   how many have answered.  */
#define CCPROF_UNREGISTERED_THREADS 256
struct ccprof_unregistered {
    _Atomic pid_t tid;
    bool mute;
    _Atomic bool answered;
};
extern struct ccprof_unregistered ccprof_unregistered_asked[CCPROF_UNREGISTERED_THREADS];
extern _Atomic unsigned ccprof_unregistered_count, ccprof_unregistered_answers;

/* Fills in INFO for the signal that asks a thread.  */
void ccprof_unregistered_make_call(siginfo_t *info);

/* Returns whether the signal asks a thread.  Called by the SIGPROF handler, as is
   answer.  */
bool ccprof_unregistered_is_call(const siginfo_t *info);

/* Adds the calling thread's counts to the totals.  */
void ccprof_unregistered_answer(void);

#endif
