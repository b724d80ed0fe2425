/* SPDX-License-Identifier: MIT */
/* Ends the run, wherever the program ends.  Catches the ways out of a program that libc
   or the kernel announces: exit (and the return of main), quick_exit, and signals that
   end the program.  hooks-calls.c has the others.  */

#ifndef CCPROF_EXIT_H
#define CCPROF_EXIT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Stops sampling and writes the profile.  Does nothing if this was done, or if the run is
   another process's, or if the thread may make no system calls.  If another thread is
   doing this, waits for a limited time.  ORDERLY: the loader may be asked for the
   modules; without it, async-signal-safe.  Leaves errno alone.  */
void ccprof_end_run(bool orderly);

/* Writes the profile as at the end, without the loader, and holds the run: for a signal
   that may turn out not to end the process.  If it does not, the caller must call
   ccprof_end_resume with the result: the run goes on, and its next file has everything.
   If the run cannot be held, ends it as ccprof_end_run does, and returns false.
   Async-signal-safe; all signals must be blocked.  Leaves errno alone.  */
bool ccprof_end_for_now(void);
void ccprof_end_resume(bool held);

/* Writes the profile at exit and quick_exit.  Constructor, once.  */
void ccprof_exit_install(void);

/* Gives no thread an alternate stack from now on.  Valgrind, in which the program runs,
   would go on using one that was given up; and it takes the normal stack for unused when
   a signal was handled on an alternate one.  Constructor, before the functions below.  */
void ccprof_exit_without_stacks(void);

/* Writes the profile also on each signal that would end the program now.  If the program,
   or the process that started it, handles or ignores a signal, nothing changes.  STACK
   becomes the alternate stack for these signals if the calling thread has none; it is
   given away for good.  Constructor, once.  */
void ccprof_exit_install_signals(void *stack, size_t size);

/* Prints the chain of calls (chain.h) on each signal that means an error and would end
   the program.  STACK as above.  Constructor, once.  */
void ccprof_exit_install_chain(void *stack, size_t size);

/* Gives a thread without an alternate stack one for printing the chain, until the thread
   ends.  */
#define CCPROF_EXIT_STACK (64 << 10)
void ccprof_exit_thread_begin(void);
void ccprof_exit_thread_end(void);

/* Gives the signals that have the handler their default actions, for good.  */
void ccprof_exit_give_up(void);

/* Does what libc's sigaction does, and hides from the program the handler that these
   functions have installed: the handler stands for the default action, in what the
   program gets and in what it sets.  Async-signal-safe.  */
int ccprof_exit_sigaction(int number, const struct sigaction *action,
                          struct sigaction *old);

/* Returns HANDLER, or SIG_DFL if it is the handler that these functions have installed.
 */
void (*ccprof_exit_shown(void (*handler)(int)))(int);

/* Writes the profile, and makes the program end, as soon as the handler returns at the
   latest, as it would have ended without us.  If the signal does not end the program, the
   run goes on, with the signal's action as before.  To be called in the handler of a
   signal that ends programs by default.  */
void ccprof_exit_signal(int number, const siginfo_t *info);

#endif
