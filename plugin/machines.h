/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses the kinds that cannot be measured on the processor that is compiled for.  */

#ifndef CCPROF_MACHINES_H
#define CCPROF_MACHINES_H

/* Compiles for another processor than the compiler's as far as check goes; for testing.
   True.  */
bool machines_pretend(const char *cpu);

/* The callback of PLUGIN_START_UNIT, behind the options: an error for each kind that the
   target cannot do.  */
void machines_check(void *event_data, void *user_data);

#endif
