/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callbacks: functions that code which is not profiled may call, qsort say, or a signal.
   Who calls a profiled function stores its own site again (field.h); these callers do
   not, so a callback puts back what it found in the field.  */

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
