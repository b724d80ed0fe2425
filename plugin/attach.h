/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attach: connects the compiled program with the runtime. It reports an error for
   targets without a runtime. It writes the stub (rt/attach.c, as text) into each
   object that has tables. The stub finds the runtime when the program starts. In C and
   C++ this module also adds macros to the program, and the plugin's file name to
   preprocessed text. ccprof.cc calls the functions. */

#ifndef CCPROF_ATTACH_H
#define CCPROF_ATTACH_H

/* For tests: makes attach_check_target believe that the compiler's processor is CPU.
   Returns true. */
bool attach_pretend_cpu(const char *cpu);

/* The callback of PLUGIN_START_UNIT, after the options are read. Reports an error if
   nothing can be measured on the target. */
void attach_check_target(void *event_data, void *user_data);

/* Called in plugin_init. PLUGIN is the path from which the plugin was loaded. If this
   path is in a build tree, the stub names the runtime of that tree, otherwise the
   installed runtime. */
void attach_find_runtime(const char *plugin);

/* Called at the end of the compilation. Writes the stub. */
void attach_emit(void);

/* The callback before the first file is read, in front ends that have a C preprocessor.
   Defines __CCPROF__, which tells rt/ccprof.h that the plugin is loaded. In C it also
   defines __CCPROF_REGIONS__, because the plugin makes regions of blocks there. The user
   can remove both with -U. */
void attach_define_macros(void *, void *);

/* Called in plugin_init. Makes preprocessed text name the plugin's file and a hash of
   its content, so that ccache compiles again when the plugin has changed. PLUGIN is
   the plugin's name for callbacks. FILE is its path, which must stay valid. */
void attach_name_plugin(const char *plugin, const char *file);

#endif
