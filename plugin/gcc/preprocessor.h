/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preprocessor: what the plugin adds to the text of a program: macros that say that the
   plugin is there, and in preprocessed text the plugin's file, for ccache.  */

#ifndef CCPROF_PREPROCESSOR_H
#define CCPROF_PREPROCESSOR_H

/* Callback before the first file is read, by the front ends that have a preprocessor of
   C. Defines __CCPROF__ for rt/ccprof.h and, where the plugin makes regions of blocks,
   __CCPROF_REGIONS__.  The user's -U removes them again.  */
void preprocessor_define_macros(void *, void *);

/* In plugin_init: preprocessed text names the plugin's file and a hash of it, so that
   ccache compiles again when the plugin has changed.  PLUGIN is the plugin's name among
   the callbacks, FILE its path, which stays.  */
void preprocessor_name_plugin(const char *plugin, const char *file);

#endif
