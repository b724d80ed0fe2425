/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nesting checker, after MLton's checkProf (type-check.fun).  On request it runs
   before each GIMPLE pass, on what the pass before it has left.  Right after mark the
   markers must nest strictly.  Later GCC may lose or move a debug marker, and the
   next one repairs the state: that is counted.  What no loss explains is a fault,
   and reported with function and block.  */

#ifndef CCPROF_CHECK_H
#define CCPROF_CHECK_H

/* The callback of PLUGIN_PASS_EXECUTION; EVENT_DATA is the opt_pass.  */
void check_before_pass(void *event_data, void *user_data);

/* The callback of PLUGIN_FINISH_UNIT: says how much was checked and repaired.  */
void check_summary(void *event_data, void *user_data);

#endif
