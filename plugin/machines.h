/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machines: refuses processors for which the plugin can measure nothing, for the
   schedule.  */

#ifndef CCPROF_MACHINES_H
#define CCPROF_MACHINES_H

/* Compiles for another processor than the compiler's as far as check goes; for testing.
   True.  */
bool machines_pretend(const char *cpu);

/* The callback of PLUGIN_START_UNIT, behind the options: an error if there is
   nothing for the target.  */
void machines_check(void *event_data, void *user_data);

#endif
