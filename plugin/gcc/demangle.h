/* SPDX-License-Identifier: GPL-3.0-or-later */
/* demangle: asks GCC's demangler of C++ for names that are not too long, for names,
   lambda and the types of blocks.  A symbol refers to its own parts: 230 bytes may stand
   for a name of gigabytes.  */

#ifndef CCPROF_DEMANGLE_H
#define CCPROF_DEMANGLE_H

/* No name is longer, in bytes.  mlprof has the same bound (mlprof/names/readable.h).  */
#define DEMANGLE_MOST 32768

/* The demangler's name of SYMBOL; the caller frees it.  NULL if it does not know the
   symbol or takes too long, or if the name would be longer than DEMANGLE_MOST.  Unless
   TOO_LONG is NULL, *TOO_LONG tells whether it is the last of these.  */
char *demangle_symbol(const char *symbol, int options, bool *too_long);

#endif
