/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stopwatch: the passes that make a function with a stopwatch (filter.h), and each
   inlined copy of one, tell the runtime when it is entered and left.

   The code is put in behind the last optimisation, where the markers say what is entered.
   A function that calls nothing is a quiet one: its callers may rely on the registers
   that it leaves alone (-fipa-ra) and on the stack that it does not need, and must not
   see a difference.  It has its watch outside of its own code, put in when that is final
   (quiet.h).  */

#ifndef CCPROF_STOPWATCH_H
#define CCPROF_STOPWATCH_H

/* Whether the current function is left to the pass of quiet functions.  From the pass in
   GIMPLE to the function's end.  */
bool stopwatch_is_quiet(void);

#endif
