/* SPDX-License-Identifier: MIT */
/* Catches the ways out of a program that libc or the kernel tells about: exit (and the
   return of main), quick_exit, and signals that end the program.  */

#ifndef CCPROF_EXIT_H
#define CCPROF_EXIT_H

#include <signal.h>
#include <stddef.h>

/* Writes the profile at exit and quick_exit.  Constructor, once.  */
void ccprof_exit_install(void);

/* From now on no thread gets an alternate stack: valgrind, in which the program runs,
   goes on using one that was given up, and takes the stack below a signal that was
   handled on one for unused.  Constructor, before those below.  */
void ccprof_exit_without_stacks(void);

/* Writes the profile also on each signal that would end the program now: where
   the program, or who started it, has made other arrangements, nothing changes.
   STACK serves these signals where the calling thread has no alternate stack; it
   is given away for good.  Constructor, once.  */
void ccprof_exit_install_signals(void *stack, size_t size);

/* Prints the chain of calls (crash.h) on each signal that tells of an error and would end
   the program.  STACK as above.  Constructor, once.  */
void ccprof_exit_install_chain(void *stack, size_t size);

/* A stack for the chain in a thread that has no alternate one, until the thread ends.  */
#define CCPROF_EXIT_STACK (64 << 10)
void ccprof_exit_thread_begin(void);
void ccprof_exit_thread_end(void);

/* To be called in the handler of a signal whose default is to end the program:
   writes the profile and sees to it that the program ends as it would have
   without us, as soon as the handler returns.  */
void ccprof_exit_signal(int number, const siginfo_t *info);

#endif
