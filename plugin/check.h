/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nesting checker, MLton's checkProf: whether the markers of a function still
   say what mark said.  Runs on request, before each GIMPLE pass, that is after the
   one before it.  */

#ifndef CCPROF_CHECK_H
#define CCPROF_CHECK_H

/* The callback of PLUGIN_PASS_EXECUTION; EVENT_DATA is the opt_pass.  */
void check_before_pass(void *event_data, void *user_data);

#endif
