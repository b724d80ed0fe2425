/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preprocessor: adds macros to C and C++ programs that show that the plugin is loaded.
   In preprocessed text it also names the plugin's file, for ccache. plugin_init calls
   it.  */

#ifndef CCPROF_PREPROCESSOR_H
#define CCPROF_PREPROCESSOR_H

/* The callback before the first file is read, in front ends that have a C
   preprocessor. Defines __CCPROF__ for rt/ccprof.h and, in C, __CCPROF_REGIONS__: the
   plugin makes regions of blocks. The user can remove them with -U.  */
void preprocessor_define_macros(void *, void *);

/* Called in plugin_init. Makes preprocessed text name the plugin's file and a hash of
   its content, so that ccache compiles again when the plugin has changed. PLUGIN is
   the plugin's name for callbacks. FILE is its path, which must stay valid.  */
void preprocessor_name_plugin(const char *plugin, const char *file);

#endif
