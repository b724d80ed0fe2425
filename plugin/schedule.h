/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule: registers the passes and callbacks that the arguments ask for, each in its
   position among GCC's, for plugin_init.  */

#ifndef CCPROF_SCHEDULE_H
#define CCPROF_SCHEDULE_H

/* In plugin_init, after the arguments are read and the modules are started.  */
void schedule_all(const char *plugin);

#endif
