/* SPDX-License-Identifier: MIT */
/* Ends the run when the program ends. Handles the ways out of a program that libc or
   the kernel announces: exit (and the return of main), quick_exit, and signals that
   end the program. hooks-calls.c handles the others. */

#ifndef CCPROF_EXIT_H
#define CCPROF_EXIT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Stops sampling and writes the profile. Does nothing if this is already done, if the
   run belongs to another process, or if the thread may make no system calls (strict
   mode). If another thread is ending the run, waits for a limited time. ORDERLY: the
   loader may be asked for the list of modules; without it the function is
   async-signal-safe. Does not change errno. */
void ccprof_end_run(bool orderly);

/* Writes the profile as at the end of the run, without asking the loader, and holds
   the run. For a signal that the process may survive. If the process survives, the
   caller passes the result to ccprof_end_resume: the run continues, and its next file
   replaces this one with complete data. If the run cannot be held, ends it like
   ccprof_end_run and returns false. Async-signal-safe; all signals must be blocked.
   Does not change errno. */
bool ccprof_end_for_now(void);
void ccprof_end_resume(bool held);

/* Makes exit and quick_exit write the profile. Called by the constructor. */
void ccprof_exit_install(void);

/* From now on, no thread gets an alternate stack. The constructor calls this in
   valgrind, before the functions below. Valgrind would continue to use an alternate
   stack after it was removed, and after a signal on an alternate stack it considers
   the normal stack unused. */
void ccprof_exit_without_stacks(void);

/* Writes the profile also when a signal ends the program. Signals that the program,
   or the process that started it, handles or ignores are not changed. Called once, by
   the constructor. */
void ccprof_exit_install_signals(void);

/* Prints the call chain (chain.h) when an error signal ends the program, also if the
   first thread's stack is full. Called once, by the constructor. */
void ccprof_exit_install_chain(void);

/* If the call chain is printed and the calling thread has no alternate stack, gives
   the thread an alternate stack until the thread ends. */
void ccprof_exit_thread_begin(void);
void ccprof_exit_thread_end(void);

/* Restores the default action of the signals that have the runtime's handler,
   permanently. */
void ccprof_exit_restore_defaults(void);

/* Replaces libc's sigaction and hides the runtime's handler from the program. If the
   program reads the action and the runtime's handler is installed, the program gets
   SIG_DFL. If the program sets SIG_DFL, the runtime's handler is installed.
   Async-signal-safe. */
int ccprof_exit_sigaction(int number, const struct sigaction *action,
                          struct sigaction *old);

/* Returns HANDLER, or SIG_DFL if HANDLER is the runtime's handler. */
void (*ccprof_exit_visible_handler(void (*handler)(int)))(int);

/* Writes the profile, and then lets the signal end the program as it would have done
   without the runtime, at the latest when the calling handler returns. If the process
   survives the signal, the run continues and the signal keeps its action. Call this
   in the handler of a signal that ends programs by default. */
void ccprof_exit_signal(int number, const siginfo_t *info);

#endif
