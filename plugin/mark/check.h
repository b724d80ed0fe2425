/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check: checks that markers nest, on request, for testing the plugin (after MLton's
   checkProf, type-check.fun).  Before each pass the checker looks at what the pass
   before has left: at one function, or at all that have a body where a pass goes over
   the whole unit.  Right after mark the markers must nest strictly.  Later GCC may
   lose or move a marker, and the next one repairs the state: such repairs are
   counted.  What no loss explains is an error that names function and block, and so is
   a marker that infer has left.  */

#ifndef CCPROF_CHECK_H
#define CCPROF_CHECK_H

/* The callback of PLUGIN_PASS_EXECUTION; EVENT_DATA is the opt_pass.  */
void check_before_pass(void *event_data, void *user_data);

/* The callback of PLUGIN_FINISH_UNIT: says how much was checked and repaired.  */
void check_summary(void *event_data, void *user_data);

#endif
