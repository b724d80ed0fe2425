/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangles names of C++ (Itanium C++ ABI, 5.1): turns symbols into names with
   parameters.  */

#ifndef MLPROF_DEMANGLE_H
#define MLPROF_DEMANGLE_H

/* To be freed; NULL: the symbol says no more than itself.  */
char *demangle(const char *symbol);

#endif
