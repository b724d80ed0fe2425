/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callback: makes callbacks put back what they found in the field, for the passes of
   field.  A callback is a function that code without profiling may call: qsort's
   comparison, a signal's handler.  A caller that is profiled stores its own site again
   when a callee returns (field.h); one that is not does not.  */

#ifndef CCPROF_CALLBACK_H
#define CCPROF_CALLBACK_H

/* In plugin_init.  */
void callback_register(const char *plugin);

/* Whether the current function is one that saves the field; while it is compiled.  */
bool callback_is_current(void);

/* Whether the insn loads what was found; puts it back.  */
bool callback_saves(const rtx_insn *insn);
bool callback_restores(const rtx_insn *insn);

#endif
