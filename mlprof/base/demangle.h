/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangles names of C++ (Itanium C++ ABI, 5.1): turns symbols into names with
   parameters.  */

#ifndef MLPROF_DEMANGLE_H
#define MLPROF_DEMANGLE_H

/* The name, to be freed; NULL if SYMBOL is not mangled.  */
char *demangle(const char *symbol);

#endif
