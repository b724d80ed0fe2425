/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names: makes the names under which users see functions, and finds their symbols. All
   rooms that write or compare names use it. The functions work in every language, in
   the compiler proper and at link time. Names of nested functions are joined by dots.
   A function without a name is named after the function that contains it: f.lambda,
   f.omp. */

#ifndef CCPROF_NAMES_H
#define CCPROF_NAMES_H

/* Returns the name of a FUNCTION_DECL. The caller frees it. */
char *names_of_function(tree function);

/* Returns the name of a compiled function. The name of a clone has the clone's suffix,
   as in f.constprop.0. The caller frees it. */
char *names_of_compiled(tree function);

/* Returns true if the function was made from the declarations at the top level of a
   C++ file: it runs before main or after it. Such a function has the name <main> and
   no position. */
bool names_is_top_level(tree function);

/* Returns true if the compiler made the function, by the same rule as gcov (GCC:
   coverage.cc, coverage_begin_function). */
bool names_is_made(tree function);

/* Return true if GCC has moved code of the source into the function: the body of a
   construct of OpenMP or OpenACC, or the body of a coroutine. */
bool names_is_construct(tree function);
bool names_is_coroutine(tree function);

/* Returns the name of a source file as it is written into the tables, or NULL. Copy
   the name: GCC's garbage collector may free it after the pass. */
const char *names_of_file(const char *file);

/* Returns the name of the compilation's directory. Copy this name as well. */
const char *names_of_directory(void);

/* Returns the symbol of the function before cloning and inlining, or NULL if the
   function has no symbol. Valid until the next call. */
const char *names_symbol(tree function);

/* Returns the symbol of a compiled function, or NULL if the function has no symbol.
   Each clone has its own symbol. Valid until the next call. */
const char *names_compiled_symbol(tree function);

/* Returns true if the compiled function only calls another function of the same
   source: a destructor that also frees, the function that converts a lambda to a
   pointer, or a thunk. */
bool names_is_entry(tree function);

/* Return bits of enum ccprof_source. names_flags: properties of the function in the
   source. names_role: how the compiled FUNCTION differs from the function that it was
   made from. */
unsigned names_flags(tree function);
unsigned names_role(tree function);

/* Prepares the names of FUNCTION, the current function, while the front end still
   exists. Gives a symbol to the abstract constructor or destructor that FUNCTION was
   made from, because inlined copies refer to it. If FUNCTION converts a lambda to a
   pointer, remembers the operator that it calls. */
void names_prepare(tree function);

/* For names-symbols.cc. names_assembler returns the assembler name without a `*', or
   NULL if it has not been set. names_declared returns the declared name, or NULL if
   there is none. */
const char *names_assembler(tree function);
const char *names_declared(tree function);

/* Long names (names-long.cc). The next three functions get C++ names from GCC's demangler
   and from GCC's printer, and limit their length. A limit is needed because symbols and
   types refer to their own parts: a symbol of 230 bytes, or 26 nested templates, each
   used twice in the next one, may have a name of gigabytes. */

/* Maximum length of a name in bytes. mlprof has the same limit
   (mlprof/names/readable.h). */
#define DEMANGLE_MOST 32768

/* Returns the demangler's name of SYMBOL, which the caller frees. Returns NULL if the
   demangler does not know the symbol or takes too long, or if the name would be longer
   than DEMANGLE_MOST. If TOO_LONG is not NULL, *TOO_LONG is true only in the last
   case. */
char *demangle_symbol(const char *symbol, int options, bool *too_long);

/* Returns the front end's name of DECLARATION in the detail that VERBOSITY selects
   (GCC: lang_hooks.decl_printable_name). Returns the shortened name if the name is
   estimated to be longer than DEMANGLE_MOST. The caller frees the result. */
char *longnames_printable(tree declaration, int verbosity);

/* Returns a short name of a function or a type in the style described above, with `<...>'
   for template arguments. The caller frees it. */
char *longnames_shortened(tree declaration);

#endif
