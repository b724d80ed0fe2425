/* SPDX-License-Identifier: MIT */
/* Threads that count and that nobody has told of (thread-create.h), in executables, whose
   counters are in each thread's own storage: such a thread adds what it has counted to
   the totals by itself, in the handler of a signal; for its storage is gone when it has
   ended.  */

#ifndef CCPROF_STRAYS_H
#define CCPROF_STRAYS_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Asks all that there are, and waits for them a while.  Returns how many there have been,
   as far as they were seen, of which a part is not in the totals: that have ended since,
   or that cannot be asked.  Outside of handlers, one thread at a time.  */
uint64_t ccprof_strays_gather(void);

/* Those who are asked, by strays-gather.c, and those who cannot be; how many have
   answered with what they have counted.  */
#define CCPROF_STRAYS_THREADS 256
struct ccprof_stray {
    _Atomic pid_t tid;
    bool mute;
    _Atomic bool answered;
};
extern struct ccprof_stray ccprof_strays_asked[CCPROF_STRAYS_THREADS];
extern _Atomic unsigned ccprof_strays_count, ccprof_strays_answers;

/* Fills in the signal that asks.  */
void ccprof_strays_make_call(siginfo_t *info);

/* Whether the signal asks.  The thread answers.  SIGPROF's handler.  */
bool ccprof_strays_is_call(const siginfo_t *info);
void ccprof_strays_answer(void);

#endif
