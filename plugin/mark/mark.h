/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mark: the functions of this room that plugin_init and the arguments call. The passes
   of the room are in passes.h. */

#ifndef CCPROF_MARK_H
#define CCPROF_MARK_H

/* The checker (check.cc) checks on request that markers nest, for tests of the plugin.
   check_before_pass is the callback of PLUGIN_PASS_EXECUTION; EVENT_DATA is the
   opt_pass. */
void check_before_pass(void *event_data, void *user_data);

/* The callback of PLUGIN_FINISH_UNIT. Reports how much was checked and repaired. */
void check_summary(void *event_data, void *user_data);

/* Makes one function slower by a known time (delay.cc). VALUE is FUNCTION:NANOSECONDS,
   with the name of the function as in the tables. VALUE is copied. Returns false if it
   does not have this form. */
bool delay_set(const char *value);

/* Returns true if delay_set was called. */
bool delay_is_set(void);

/* Called in plugin_init after the arguments are read. Disables tail calls if
   tail-calls=never was given (keep_tailcalls.cc). */
void keep_tailcalls_register(const char *plugin);

/* Returns true if the passes of keep_tailcalls.cc are needed: tail-calls=self-only was
   given. */
bool keep_tailcalls_has_pass(void);

#endif
