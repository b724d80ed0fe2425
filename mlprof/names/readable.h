/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangles C++ symbols and shortens the names so that they can be read, for example
   to std::string. Two functions may then have the same name; names.h makes them
   unique. Used by names/, compare/, views of allocations and some export formats.
   readable removes

    - default template arguments: allocators, traits, and std::less and similar types
      of an earlier argument,
    - empty lists of template arguments, except in std,
    - inline namespaces of the standard libraries (std::__cxx11), and those by which
      other libraries mark their versions (fmt::v9, nlohmann::json_abi_v3_11_2),
    - ABI tags, and blanks between closing brackets.

   It writes std::string for std::basic_string<char>, and other typedefs of this form.
   If the name is still too long, template arguments are replaced by `...', starting
   with the most deeply nested. If that is not enough, the scopes in the middle of the
   name are replaced. A text that is not a C++ name, or that cannot be parsed, does
   not change. */

#ifndef MLPROF_READABLE_H
#define MLPROF_READABLE_H

#include <stddef.h>

/* Width in columns up to which names keep all their arguments. */
#define READABLE_MOST 60

/* Maximum width of a readable name, except if its last component is wider. Most names
   of C programs fit. */
#define READABLE_WIDEST 100

/* Returns a readable form of NAME, which may be a name as written by GCC or a
   demangled name. If the result would be wider than MOST columns, template arguments
   are left out as needed. If the result would be wider than READABLE_WIDEST, scopes
   are left out. If MOST is 0, the width is not limited. The caller frees the result. */
char *readable(const char *name, size_t most);

/* Returns the function name in DEMANGLED, without parameters and, for a template,
   without the return type. Returns other names unchanged. The caller frees the
   result. */
char *signature_name(const char *demangled);

/* Maximum length of a demangled name, in bytes. A symbol may refer to its own parts,
   so a symbol of 230 bytes may expand to gigabytes. The plugin uses the same limit
   (plugin/gcc/names.h). */
#define DEMANGLE_MOST 32768

/* Returns the name with parameters of a symbol of the Itanium C++ ABI (5.1). Returns
   SYMBOL itself if the name would be longer than DEMANGLE_MOST or if the demangler
   takes too long, and NULL if SYMBOL is not mangled. The caller frees the result.
   Uses the signal SIGVTALRM and its timer, so no other code may use them. */
char *demangle(const char *symbol);

#endif
