/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mark: what plugin_init and the arguments need of this room, beside the passes
 * (passes.h).  */

#ifndef CCPROF_MARK_H
#define CCPROF_MARK_H

/* The checker (check.cc) checks that markers nest, on request, for testing the plugin.
   The callback of PLUGIN_PASS_EXECUTION; EVENT_DATA is the opt_pass.  */
void check_before_pass(void *event_data, void *user_data);

/* The callback of PLUGIN_FINISH_UNIT: says how much was checked and repaired.  */
void check_summary(void *event_data, void *user_data);

/* Makes one function slower by a known time (delay.cc).  VALUE is FUNCTION:NANOSECONDS,
   with the function's name as in the tables; it is copied.  False if it is not of that
   form.  */
bool delay_set(const char *value);

/* Whether there is such a function.  */
bool delay_is_set(void);

/* In plugin_init, after the arguments are read: keeps tail calls as calls, on request
   (keep_tailcalls.cc).  */
void keep_tailcalls_register(const char *plugin);

/* Whether its passes are needed.  */
bool keep_tailcalls_has_pass(void);

#endif
