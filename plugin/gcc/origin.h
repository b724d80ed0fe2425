/* SPDX-License-Identifier: GPL-3.0-or-later */
/* origin: makes preprocessed text name the plugin's file and a hash of the file, for
   plugin_init, so that ccache compiles again when the plugin has changed.  */

#ifndef CCPROF_ORIGIN_H
#define CCPROF_ORIGIN_H

/* PLUGIN is the plugin's name among the callbacks, FILE its path, which stays.  */
void origin_register(const char *plugin, const char *file);

#endif
