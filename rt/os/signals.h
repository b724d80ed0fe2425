/* SPDX-License-Identifier: MIT */
/* Installs the runtime's signal handlers.  */

#ifndef CCPROF_SIGNALS_H
#define CCPROF_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

typedef void ccprof_signals_handler(int number, siginfo_t *info, void *context);

/* HANDLER runs from now on, on the alternate stack if there is one, with all signals
   blocked; system calls are restarted.  Returns false if that is not possible.  */
bool ccprof_signals_set(int number, ccprof_signals_handler *handler);

/* The same, if the signal does what it does by default; otherwise somebody else has made
   arrangements, nothing changes, and false is returned.  */
bool ccprof_signals_take(int number, ccprof_signals_handler *handler);

/* The same, with one call of the kernel if that is enough.  All signals are blocked.  */
bool ccprof_signals_take_blocked(int number, ccprof_signals_handler *handler);

#endif
