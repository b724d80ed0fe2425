/* SPDX-License-Identifier: GPL-3.0-or-later */
/* longnames: bounds the names of C++ while they are made, for names, lambda and the types
   of blocks.  A symbol and a type refer to their own parts: templates nested 26 deep have
   a symbol of 230 bytes and a name of gigabytes.  */

#ifndef CCPROF_LONGNAMES_H
#define CCPROF_LONGNAMES_H

/* No name is longer, in bytes.  mlprof has the same bound (mlprof/base/demangle.h).  */
#define LONGNAMES_MOST 32768

/* What the demangler says of SYMBOL; the caller frees it.  NULL if it does not know the
   symbol, or if the name would be longer than LONGNAMES_MOST, which sets *TOO_LONG.
   TOO_LONG may be NULL.  */
char *longnames_demangle(const char *symbol, int options, bool *too_long);

/* The front end's name of DECLARATION, as much of it as VERBOSITY says (GCC:
   lang_hooks.decl_printable_name); the caller frees it.  If the name would be longer than
   LONGNAMES_MOST, by an estimate, it is the shortened one.  */
char *longnames_printable(tree declaration, int verbosity);

/* A short name of a function or a type in the way of names.h, with `<...>' for template
   arguments; the caller frees it.  */
char *longnames_shortened(tree declaration);

#endif
