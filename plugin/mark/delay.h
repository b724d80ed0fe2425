/* SPDX-License-Identifier: GPL-3.0-or-later */
/* delay: for testing a profiler by a change that is known.  One function, wherever it is
   inlined, first spends that much of its thread's CPU time at each call.  It is the only
   thing that changes the code of a function on purpose, and no other function's.  */

#ifndef CCPROF_DELAY_H
#define CCPROF_DELAY_H

/* FUNCTION:NANOSECONDS, with the function's name as in the tables; copied.  False if it
   is not of that form.  */
bool delay_set(const char *value);

/* Whether there is one.  */
bool delay_is_set(void);

#endif
