/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leaf: recognizes calls from which control never comes to profiled code, for the
   modules that prepare for what a callee may count: calls of built-in and library
   functions that call nothing of the program (GCC: ECF_LEAF).  */

#ifndef CCPROF_LEAF_H
#define CCPROF_LEAF_H

/* Whether nothing that is counted can be called by the call.  */
bool leaf_is_call(const gcall *call);

#endif
