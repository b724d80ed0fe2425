/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule: which passes and callbacks the arguments ask for, and where they stand among
   GCC's.  */

#ifndef CCPROF_SCHEDULE_H
#define CCPROF_SCHEDULE_H

/* In plugin_init, after the arguments are read and the modules are started.  */
void schedule_all(const char *plugin);

#endif
