/* SPDX-License-Identifier: GPL-3.0-or-later */
/* delay: makes one function slower by a known time, for tests of a profiler: wherever
   the function is inlined, each call first spends that much of its thread's CPU time.
   Nothing else in the plugin changes a function's code on purpose, and no other
   function changes.  */

#ifndef CCPROF_DELAY_H
#define CCPROF_DELAY_H

/* FUNCTION:NANOSECONDS, with the function's name as in the tables; copied.  False if it
   is not of that form.  */
bool delay_set(const char *value);

/* Whether there is one.  */
bool delay_is_set(void);

#endif
