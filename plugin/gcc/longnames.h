/* SPDX-License-Identifier: GPL-3.0-or-later */
/* longnames: bounds the names of C++ that GCC prints, for names, check and the types of
   blocks.  A type refers to its own parts: templates nested 26 deep, each twice in the
   next, have a name of gigabytes.  */

#ifndef CCPROF_LONGNAMES_H
#define CCPROF_LONGNAMES_H

/* The front end's name of DECLARATION, as much of it as VERBOSITY says (GCC:
   lang_hooks.decl_printable_name); the caller frees it.  If the name would be longer than
   DEMANGLE_MOST, by an estimate, it is the shortened one.  */
char *longnames_printable(tree declaration, int verbosity);

/* A short name of a function or a type in the way of names.h, with `<...>' for template
   arguments; the caller frees it.  */
char *longnames_shortened(tree declaration);

#endif
