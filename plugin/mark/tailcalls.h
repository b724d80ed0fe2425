/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tailcalls: on request, calls that GCC would make jumps stay calls, so that the caller
   stays on the stack and has what the callee costs in its column `stack'.  Nothing else
   in the plugin makes a tail call another call.  */

#ifndef CCPROF_TAILCALLS_H
#define CCPROF_TAILCALLS_H

/* In plugin_init, after the arguments are read.  */
void tailcalls_register(const char *plugin);

/* Whether the pass is needed.  */
bool tailcalls_has_pass(void);

#endif
