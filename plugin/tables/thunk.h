/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thunk: recognizes thunks by their symbols, for names: functions by which C++ calls
   another one with `this' moved, or with its result converted.  Knows nothing of GCC.  */

#ifndef CCPROF_THUNK_H
#define CCPROF_THUNK_H

#ifdef __cplusplus
extern "C" {
#endif

/* The symbol of the function that the thunk of that SYMBOL calls; NULL: it is none. Valid
   until the next call.  (Itanium C++ ABI, 5.1.4.)  */
const char *thunk_target(const char *symbol);

#ifdef __cplusplus
}
#endif

#endif
