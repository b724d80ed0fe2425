/* SPDX-License-Identifier: GPL-3.0-or-later */
/* longnames: gets C++ names from GCC's demangler and from GCC's printer, and limits
   their length. For names, check.cc and the types of memory blocks. A limit is needed
   because symbols and types refer to their own parts: a symbol of 230 bytes, or 26
   nested templates, each used twice in the next one, may have a name of gigabytes.  */

#ifndef CCPROF_LONGNAMES_H
#define CCPROF_LONGNAMES_H

/* Maximum length of a name in bytes. mlprof has the same limit
   (mlprof/names/readable.h).  */
#define DEMANGLE_MOST 32768

/* Returns the demangler's name of SYMBOL, which the caller frees. Returns NULL if the
   demangler does not know the symbol or takes too long, or if the name would be longer
   than DEMANGLE_MOST. If TOO_LONG is not NULL, *TOO_LONG is true only in the last
   case.  */
char *demangle_symbol(const char *symbol, int options, bool *too_long);

/* Returns the front end's name of DECLARATION in the detail that VERBOSITY selects
   (GCC: lang_hooks.decl_printable_name). Returns the shortened name if the name is
   estimated to be longer than DEMANGLE_MOST. The caller frees the result.  */
char *longnames_printable(tree declaration, int verbosity);

/* Returns a short name of a function or a type in the style of names.h, with `<...>'
   for template arguments. The caller frees it.  */
char *longnames_shortened(tree declaration);

#endif
