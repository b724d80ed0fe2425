/* SPDX-License-Identifier: MIT */
/* Handles SIGPROF: adds the interrupted stack to the table of samples.  */

#ifndef CCPROF_HANDLER_H
#define CCPROF_HANDLER_H

#include <signal.h>
#include <stdbool.h>

/* Takes SIGPROF, and lets it through in the calling thread.  Returns false if
   somebody else handles it already.  Constructor, once.  */
bool ccprof_handler_install(void);

/* FATAL is called, in the handler, for a SIGPROF that somebody else has sent and that
   without us would end the program.  Constructor, before install.  */
void ccprof_handler_set_fatal(void (*fatal)(int number, const siginfo_t *info));

/* AFTER is called, in the handler, behind each sample, outside of the run (run.h).
   Constructor.  */
void ccprof_handler_set_after(void (*after)(void));

/* Whether SIGPROF is still ours: the program may have taken it.
   Async-signal-safe.  */
bool ccprof_handler_is_installed(void);

/* The program asks for SIGPROF, with what sigaction is called with.  Returns true if all
   is done.  Otherwise the program's call is to be done: the signal is not ours any more,
   and sampling has ended.  Any thread, not our handler.  */
bool ccprof_handler_program(const struct sigaction *action, struct sigaction *old);

#endif
