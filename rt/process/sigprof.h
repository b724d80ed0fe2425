/* SPDX-License-Identifier: MIT */
/* Handles SIGPROF. A signal of the sampler adds the interrupted stack to the table of
   samples. Another SIGPROF asks the thread for its counts (unregistered.h). */

#ifndef CCPROF_SIGPROF_H
#define CCPROF_SIGPROF_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Installs the handler, and unblocks SIGPROF in the calling thread. Returns false if
   the program already handles SIGPROF. Called once, by the constructor. */
bool ccprof_handler_install(void);

/* Does the same in a signal handler that blocks all signals, for a run that begins later:
   SIGPROF stays blocked, and if it is pending, it is the program's. Async-signal-safe. */
bool ccprof_handler_install_late(void);

/* Adds WEIGHT samples, possibly 0, of the calling thread. Their place is the thread's
   start routine START, since nothing else is known. SIGPROF must be blocked. */
void ccprof_handler_estimate(uintptr_t start, uint64_t weight);

/* Adds WEIGHT samples of threads that have ended. Their place is the START of the
   previous call of ccprof_handler_estimate. Called at the end of the run, when no
   handler is running. */
void ccprof_handler_estimate_rest(uint64_t weight);

/* Sets FATAL. The handler calls it for a SIGPROF that the sampler did not send and
   that would end the program without the profiler. The constructor calls this before
   install. */
void ccprof_handler_set_fatal(void (*fatal)(int number, const siginfo_t *info));

/* Sets AFTER. The handler calls it after each signal of the sampler, outside of the
   run (run.h). Called by the constructor. */
void ccprof_handler_set_after(void (*after)(void));

/* Returns whether SIGPROF still has the runtime's handler: the program may have
   replaced it. Async-signal-safe. */
bool ccprof_handler_is_installed(void);

/* Returns whether SIGPROF has the runtime's handler. If the calling thread blocks
   SIGPROF, first lets the handler take the samples that are due. Does both at most
   once in a millisecond. Called when the program is about to wait; the program's own
   SIGPROF signals stay pending. */
bool ccprof_handler_take_blocked(void);

/* Ends sampling: the program handles SIGPROF from now on. */
void ccprof_handler_give_up(void);

/* Sets the flags of the runtime's handler again, after the program has changed them. */
void ccprof_handler_restart_calls(void);

/* Handles the program's call of sigaction for SIGPROF. Returns true if the call is
   complete. If it returns false, the caller must call libc's sigaction: SIGPROF
   belongs to the program now, and sampling has ended. Any thread may call this, but
   not the SIGPROF handler. */
bool ccprof_handler_program(const struct sigaction *action, struct sigaction *old);

/* Collects the counts of unregistered threads, unregistered.h. Installs the handler if
   necessary, as in a run that does not measure time. Returns the number of threads
   whose counts are missing. Not for handlers; only one thread may call this at a
   time. */
uint64_t ccprof_handler_gather_unregistered(void);

/* The calling thread's last system call through libc's function syscall. strict.c,
   which replaces this function, sets it. It is needed on x86-64, where no register
   holds the number of the call while the kernel executes it. */
struct ccprof_last_call {
    long number;
    uint64_t argument[2]; /* the first two arguments */
};

extern _Thread_local struct ccprof_last_call ccprof_last_call;

#endif
