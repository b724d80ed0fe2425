/* SPDX-License-Identifier: MIT */
/* Answers requests of other processes: SIGURG with a number, doc/requests.md. A process
   that nobody asks does nothing.

   The handler runs in any thread at any moment, with all signals blocked. It waits for
   no lock and allocates no memory of the program. It makes a file in memory, writes the
   run so far into it, and keeps it open for ten seconds. */

#ifndef CCPROF_REQUEST_H
#define CCPROF_REQUEST_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* A request, decoded. */
struct ccprof_request {
    unsigned version, operation, argument;
    uint32_t deadline; /* in units of 2^CCPROF_REQUEST_DEADLINE_UNIT nanoseconds */
};

/* Decodes the VALUE of a signal. Returns false if it does not have the mark of a
   request. */
bool ccprof_request_decode(uint64_t value, struct ccprof_request *request);

/* Returns whether the deadline has passed at NOW, nanoseconds of CLOCK_REALTIME. */
bool ccprof_request_is_late(const struct ccprof_request *request, uint64_t now);

/* Returns whether the operation exists in this version, and its argument is permitted. */
bool ccprof_request_is_known(const struct ccprof_request *request);

/* Installs the handler. Called by the constructor when the run has started, or when a
   process becomes dormant (rt/entry/dormant.h). In the second case the first request
   calls WAKE, which starts the run or returns an errno value: EAGAIN if the request must
   be repeated, ENODATA if nothing can be sampled. Otherwise WAKE is null, and the
   settings are obeyed. */
void ccprof_request_install(int (*wake)(void));

/* Forgets the parent's answer and its timer, in the child of a fork. */
void ccprof_request_drop(void);

/* Handles the program's call of sigaction for SIGURG, since the program's own action
   takes place for each SIGURG that is not a request. Returns true if the call is
   complete; otherwise the caller must call libc's sigaction. */
bool ccprof_request_program(const struct sigaction *action, struct sigaction *old);

/* Gives SIGURG to the program, which reads it from a descriptor (signalfd). */
void ccprof_request_give_up(void);

/* Returns whether SIGURG still has the runtime's handler. Async-signal-safe. */
bool ccprof_request_is_installed(void);

/* Handles a SIGURG that the program has taken from the pending signals. Returns false
   if it is the program's own signal. */
bool ccprof_request_serve(const siginfo_t *info);

#endif
