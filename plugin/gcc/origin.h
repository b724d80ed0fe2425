/* SPDX-License-Identifier: GPL-3.0-or-later */
/* origin: preprocessed text names the plugin's file among those that it comes from, and
   what is in it, so that ccache, which finds there what an object depends on, sees
   another plugin.  */

#ifndef CCPROF_ORIGIN_H
#define CCPROF_ORIGIN_H

/* PLUGIN is the plugin's name among the callbacks, FILE its path, which stays.  */
void origin_register(const char *plugin, const char *file);

#endif
