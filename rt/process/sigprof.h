/* SPDX-License-Identifier: MIT */
/* Handles SIGPROF.  A signal of the sampler adds the interrupted stack to the table of
   samples.  Before a file is written, a signal asks each thread that the runtime has not
   registered for its counts.  */

#ifndef CCPROF_SIGPROF_H
#define CCPROF_SIGPROF_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Takes SIGPROF, and unblocks it in the calling thread.  Returns false if the program
   handles SIGPROF already.  Constructor, once.  */
bool ccprof_handler_install(void);

/* Adds WEIGHT samples, 0 or more, of the calling thread, whose start routine is at START:
   nothing else is known of where they were due.  SIGPROF must be blocked.  */
void ccprof_handler_estimate(uintptr_t start, uint64_t weight);

/* Adds WEIGHT samples of threads that have ended, at the last START.  Called where the
   run ends, when no handler runs any more.  */
void ccprof_handler_estimate_rest(uint64_t weight);

/* Sets FATAL, which the handler calls for a SIGPROF that is not ours and that would end
   the program without us.  Constructor, before install.  */
void ccprof_handler_set_fatal(void (*fatal)(int number, const siginfo_t *info));

/* Sets AFTER, which the handler calls after each of our signals, outside of the run
   (run.h).  Constructor.  */
void ccprof_handler_set_after(void (*after)(void));

/* Returns whether the handler of SIGPROF is still ours: the program may have replaced it.
   Async-signal-safe.  */
bool ccprof_handler_is_installed(void);

/* Handles the program's call of sigaction for SIGPROF, with its arguments.  Returns true
   if all is done.  If it returns false, the caller must call libc: SIGPROF is the
   program's now, and sampling has ended.  Any thread, but not our handler.  */
bool ccprof_handler_program(const struct sigaction *action, struct sigaction *old);

/* Adds up the counts of threads whose creation the runtime has not seen
   (thread-create.h). In an executable the counters are in each thread's own storage,
   which is gone when the thread has ended.  So each of these threads gets a signal, and
   its handler adds its counts to the totals.  Waits for them, 0.1 s at most.  Returns for
   how many threads the totals are incomplete: those that were seen and have ended since,
   and those that could not be asked.  Not in handlers; one thread at a time.  */
uint64_t ccprof_unregistered_gather(void);

/* The last system call that the calling thread made by libc's function syscall.  On
   x86-64 no register has the call's number while the kernel works on the call.
   strict.c, which replaces that function for the program, sets it.  */
struct ccprof_last_call {
    long number;
    uint64_t argument[2]; /* the first ones */
};

extern _Thread_local struct ccprof_last_call ccprof_last_call;

#endif
