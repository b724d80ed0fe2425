/* SPDX-License-Identifier: MIT */
/* Threads that count and that nobody has told of (thread-create.h), in executables, whose
   counters are in each thread's own storage: such a thread adds what it has counted to
   the totals by itself, in the handler of a signal; for its storage is gone when it has
   ended.  */

#ifndef CCPROF_UNREGISTERED_H
#define CCPROF_UNREGISTERED_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Asks all that there are, and waits for them a while.  Returns how many there have been,
   as far as they were seen, of which a part is not in the totals: that have ended since,
   or that cannot be asked.  Outside of handlers, one thread at a time.  */
uint64_t ccprof_unregistered_gather(void);

/* Those who are asked, by unregistered-gather.c, and those who cannot be; how many have
   answered with what they have counted.  */
#define CCPROF_UNREGISTERED_THREADS 256
struct ccprof_unregistered {
    _Atomic pid_t tid;
    bool mute;
    _Atomic bool answered;
};
extern struct ccprof_unregistered ccprof_unregistered_asked[CCPROF_UNREGISTERED_THREADS];
extern _Atomic unsigned ccprof_unregistered_count, ccprof_unregistered_answers;

/* Fills in the signal that asks.  */
void ccprof_unregistered_make_call(siginfo_t *info);

/* Whether the signal asks.  The thread answers.  SIGPROF's handler.  */
bool ccprof_unregistered_is_call(const siginfo_t *info);
void ccprof_unregistered_answer(void);

#endif
