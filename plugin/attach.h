/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attach: connects the compiled program with the runtime. It reports an error for
   targets without a runtime. It writes the stub (rt/attach.c, as text) into each
   object that has tables. The stub finds the runtime when the program starts.
   ccprof.cc calls it.  */

#ifndef CCPROF_ATTACH_H
#define CCPROF_ATTACH_H

/* For tests: makes attach_check_target believe that the compiler's processor is CPU.
   Returns true.  */
bool attach_pretend_cpu(const char *cpu);

/* The callback of PLUGIN_START_UNIT, after the options are read. Reports an error if
   nothing can be measured on the target.  */
void attach_check_target(void *event_data, void *user_data);

/* Called in plugin_init. PLUGIN is the path from which the plugin was loaded. If this
   is a build tree, the stub names the runtime of that tree, otherwise the installed
   runtime.  */
void attach_find_runtime(const char *plugin);

/* Called at the end of the compilation. Writes the stub.  */
void attach_emit(void);

#endif
