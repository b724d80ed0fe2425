/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attach: puts the stub of rt/attach.c, as text, into each object that has tables, for
   the schedule.  The stub finds the runtime when the program starts.  */

#ifndef CCPROF_ATTACH_H
#define CCPROF_ATTACH_H

/* In plugin_init; PLUGIN is the path from which the plugin was loaded.  In the tree
   where it was built the stub names the runtime of that tree.  */
void attach_find_runtime(const char *plugin);

/* At the end of the compilation.  */
void attach_emit(void);

#endif
