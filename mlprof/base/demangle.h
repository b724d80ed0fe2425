/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangles names of C++ (Itanium C++ ABI, 5.1): turns symbols into names with
   parameters.  */

#ifndef MLPROF_DEMANGLE_H
#define MLPROF_DEMANGLE_H

/* No name is longer, in bytes.  A symbol refers to its own parts, so that 230 bytes may
   stand for a name of gigabytes.  The plugin has the same bound (plugin/gcc/longnames.h).
 */
#define DEMANGLE_MOST 32768

/* The name, to be freed; SYMBOL itself if the name would be longer than DEMANGLE_MOST, or
   if the demangler takes too long; NULL if SYMBOL is not mangled.  Not for handlers of
   signals: it has SIGVTALRM and its timer for itself.  */
char *demangle(const char *symbol);

#endif
