/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cxxname: names of C++, for plugin/gcc/names.cc: makes demangled names readable, and
   recognizes thunks.  It needs nothing of GCC.  */

#ifndef CCPROF_CXXNAME_H
#define CCPROF_CXXNAME_H

#ifdef __cplusplus
extern "C" {
#endif

/* Shortens NAME in place: removes the parameters of enclosing functions and names lambdas
   after the function that they are in.  Other template arguments stay.  NAME was
   demangled without the function's own parameters.  */
void cxxname_shorten(char *name);

/* Returns the symbol of the function that a thunk calls, or NULL if SYMBOL is no thunk's.
   A thunk adjusts `this' or the result.  The string is valid until the next call.
   (Itanium C++ ABI, 5.1.4.)  */
const char *cxxname_thunk_target(const char *symbol);

#ifdef __cplusplus
}
#endif

#endif
