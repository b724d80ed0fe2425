/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cxxname: names of C++. Makes demangled names readable, and recognizes thunks. For
   plugin/gcc/names.cc and names-symbols.cc. This module does not use GCC. */

#ifndef CCPROF_CXXNAME_H
#define CCPROF_CXXNAME_H

#ifdef __cplusplus
extern "C" {
#endif

/* Shortens NAME in place: removes the parameters of enclosing functions, and names
   lambdas after their enclosing function. Other template arguments remain. NAME must
   be demangled without the function's own parameters. */
void cxxname_shorten(char *name);

/* Returns the symbol of the function that a thunk calls, or NULL if SYMBOL is not the
   symbol of a thunk. A thunk adjusts `this' or the result (Itanium C++ ABI, 5.1.4).
   The string is valid until the next call. */
const char *cxxname_thunk_target(const char *symbol);

#ifdef __cplusplus
}
#endif

#endif
