/* SPDX-License-Identifier: MIT */
/* The handler of SIGPROF.  */

#ifndef CCPROF_HANDLER_H
#define CCPROF_HANDLER_H

#include <stdbool.h>

/* Takes SIGPROF, and lets it through in the calling thread.  Returns false if
   somebody else handles it already.  Constructor, once.  */
bool ccprof_handler_install(void);

/* Whether SIGPROF is still ours: the program may have taken it.
   Async-signal-safe.  */
bool ccprof_handler_is_installed(void);

#endif
