/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes names of C++ short enough to be read: std::string in place of its three lines.
   For names.c, which keeps apart those that become alike.

   Left out are default template arguments (allocators, traits, std::less and the like
   that are of an argument before them), lists of arguments that are empty, but in std,
   inline namespaces of the standard libraries (std::__cxx11) and those that others tell
   their versions by (fmt::v9, nlohmann::json_abi_v3_11_2), ABI tags, and blanks between
   brackets that close.
   std::basic_string<char> becomes std::string, and so do the other typedefs of that form.
   The arguments of a name that is still long become `...', those first that are nested
   deepest, and then the scopes in its middle do.  What is no name of C++, or is not
   understood, stays as it is.  */

#ifndef MLPROF_READABLE_H
#define MLPROF_READABLE_H

#include <stddef.h>

/* Names of so many columns keep all their arguments.  */
#define READABLE_MOST 60

/* No name is wider, but for one whose last component alone is: wide enough for what is
   written in C.  */
#define READABLE_WIDEST 100

/* NAME, as GCC writes it or demangled, in a readable form; to be freed.  If it would be
   wider than MOST columns, template arguments are left out as far as needed, and scopes
   where it is wider than READABLE_WIDEST.  MOST 0: nothing is left out for width.  */
char *readable(const char *name, size_t most);

/* The name of a function alone, to be freed, from DEMANGLED, which has the parameters
   and, for a template, the return type.  A name that is no function's is returned
   unchanged.  */
char *signature_name(const char *demangled);

/* Demangles names of C++ (Itanium C++ ABI, 5.1): turns symbols into names with
   parameters.  */

/* No name is longer, in bytes.  A symbol refers to its own parts, so that 230 bytes may
   stand for a name of gigabytes.  The plugin has the same bound (plugin/gcc/demangle.h).
 */
#define DEMANGLE_MOST 32768

/* The name, to be freed; SYMBOL itself if the name would be longer than DEMANGLE_MOST, or
   if the demangler takes too long; NULL if SYMBOL is not mangled.  Not for handlers of
   signals: it has SIGVTALRM and its timer for itself.  */
char *demangle(const char *symbol);

#endif
