/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangles symbols of C++ and makes the names short enough to be read: std::string in
   place of its three lines.  Two functions may become alike; names.h keeps them apart.

   readable removes
    - default template arguments: allocators, traits, and std::less and similar types of
   an earlier argument,
    - empty lists of template arguments, except in std,
    - inline namespaces of the standard libraries (std::__cxx11), and those by which other
      libraries mark their versions (fmt::v9, nlohmann::json_abi_v3_11_2),
    - ABI tags, and blanks between closing brackets.
   It writes std::string for std::basic_string<char>, and the other typedefs of that form.
   If the name is still too long, template arguments become `...', the most deeply nested
   first, and then the scopes in its middle do.  A text that is not a C++ name, or that is
   not understood, does not change.  */

#ifndef MLPROF_READABLE_H
#define MLPROF_READABLE_H

#include <stddef.h>

/* Names of so many columns keep all their arguments.  */
#define READABLE_MOST 60

/* No readable name is wider, unless its last component alone is.  Names of C programs
   fit.  */
#define READABLE_WIDEST 100

/* NAME, as GCC writes it or demangled, in a readable form; to be freed.  If it would be
   wider than MOST columns, template arguments are left out as far as needed, and scopes
   where it is wider than READABLE_WIDEST.  MOST 0: nothing is left out for width.  */
char *readable(const char *name, size_t most);

/* The name of a function alone, to be freed, from DEMANGLED, which has the parameters
   and, for a template, the return type.  A name that is no function's is returned
   unchanged.  */
char *signature_name(const char *demangled);

/* The longest demangled name, in bytes.  A symbol may refer to its own parts, so 230
   bytes may stand for gigabytes.  The plugin has the same limit (plugin/gcc/names.h).
 */
#define DEMANGLE_MOST 32768

/* The name with parameters for a symbol of the Itanium C++ ABI (5.1); to be freed.
   Returns SYMBOL itself if the name would be longer than DEMANGLE_MOST, or if the
   demangler takes too long, and NULL if SYMBOL is not mangled.  Uses SIGVTALRM and its
   timer, so no other code may use these.  */
char *demangle(const char *symbol);

#endif
