/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attach: connects the compiled program with the runtime.  It refuses targets that have
   no runtime, and puts the stub of rt/attach.c, as text, into each object that has
   tables.  The stub finds the runtime when the program starts.  */

#ifndef CCPROF_ATTACH_H
#define CCPROF_ATTACH_H

/* For testing: attach_check_target takes CPU for the compiler's processor.  Returns true.
 */
bool attach_pretend_cpu(const char *cpu);

/* The callback of PLUGIN_START_UNIT, after the options are read: an error if nothing can
   be measured on the target.  */
void attach_check_target(void *event_data, void *user_data);

/* In plugin_init; PLUGIN is the path from which the plugin was loaded.  If that is the
   tree where the plugin was built, the stub names the runtime of that tree.  */
void attach_find_runtime(const char *plugin);

/* At the end of the compilation: writes the stub.  */
void attach_emit(void);

#endif
