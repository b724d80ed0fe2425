/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep_tailcalls: on request, keeps calls that GCC would make jumps as calls, so that the
   caller stays on the stack and has what the callee costs in its column `stack'.  For
   plugin_init and the schedule.  */

#ifndef CCPROF_KEEP_TAILCALLS_H
#define CCPROF_KEEP_TAILCALLS_H

/* In plugin_init, after the arguments are read.  */
void keep_tailcalls_register(const char *plugin);

/* Whether the pass is needed.  */
bool keep_tailcalls_has_pass(void);

#endif
