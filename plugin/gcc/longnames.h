/* SPDX-License-Identifier: GPL-3.0-or-later */
/* longnames: gets names of C++ from GCC's demangler and GCC's printer, and bounds their
   length.  For names, check and the types of blocks.  Symbols and types refer to their
   own parts: a symbol of 230 bytes, or templates nested 26 deep, each twice in the next,
   may have a name of gigabytes.  */

#ifndef CCPROF_LONGNAMES_H
#define CCPROF_LONGNAMES_H

/* No name is longer, in bytes.  mlprof has the same bound (mlprof/names/readable.h).  */
#define DEMANGLE_MOST 32768

/* The demangler's name of SYMBOL; the caller frees it.  NULL if the demangler does not
   know the symbol or takes too long, or if the name would be longer than DEMANGLE_MOST.
   Unless TOO_LONG is NULL, *TOO_LONG says whether the last is the reason.  */
char *demangle_symbol(const char *symbol, int options, bool *too_long);

/* The front end's name of DECLARATION, as much of it as VERBOSITY says (GCC:
   lang_hooks.decl_printable_name); the caller frees it.  If the name would be longer than
   DEMANGLE_MOST, by an estimate, it is the shortened one.  */
char *longnames_printable(tree declaration, int verbosity);

/* A short name of a function or a type in the way of names.h, with `<...>' for template
   arguments; the caller frees it.  */
char *longnames_shortened(tree declaration);

#endif
