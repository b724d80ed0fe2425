/* SPDX-License-Identifier: MIT */
/* Prints the report of a crash.  Owns nothing.  Called by the handler of the signals that
   end the program.  */

#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "rt/symbolize/crash.h"
#include "rt/os/text.h"
#include "rt/symbolize/chain.h"

bool ccprof_crash_is(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
           number == SIGILL || number == SIGTRAP || number == SIGABRT;
}

void ccprof_crash_print(int number, const void *context)
{
    ccprof_say("SIG", sigabbrev_np(number),
               ", at these calls, the innermost first:", NULL);
    ccprof_chain_write(context, false, ccprof_say_file());
}
