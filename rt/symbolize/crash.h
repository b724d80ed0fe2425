/* SPDX-License-Identifier: MIT */
/* Prints the chain of calls where a signal ends the program, with the setting chain=yes,
   for exit.c.  */

#ifndef CCPROF_CRASH_H
#define CCPROF_CRASH_H

#include <stdbool.h>

/* Returns whether the signal tells of an error in the program.  */
bool ccprof_crash_is(int number);

/* Prints the chain on standard error; CONTEXT is the third argument of the handler.
   Async-signal-safe.  */
void ccprof_crash_print(int number, const void *context);

#endif
