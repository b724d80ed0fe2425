/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names: makes the names under which users see functions, and finds their symbols, for
   the tables, in every language, in the compiler proper and at link time.  Nesting is
   joined by dots.  A function without a name is named after the function that it stands
   in: f.lambda, f.omp.  */

#ifndef CCPROF_NAMES_H
#define CCPROF_NAMES_H

/* The name of a FUNCTION_DECL; the caller frees it.  */
char *names_of_function(tree function);

/* The name of a compiled function; that of a clone says which, as f.constprop.0.  The
   caller frees it.  */
char *names_of_compiled(tree function);

/* Whether the function is what C++ makes of the declarations at the top level of a file:
   code that runs before main or behind it.  Such a function is called <main> and has no
   position.  */
bool names_is_top_level(tree function);

/* Whether the compiler made the function, as gcov sees it (GCC: coverage.cc,
   coverage_begin_function).  */
bool names_is_made(tree function);

/* Whether GCC has moved code of the source into the function: the body of a construct of
   OpenMP or OpenACC, or that of a coroutine.  */
bool names_is_construct(tree function);
bool names_is_coroutine(tree function);

/* The name of a source file as it is written into tables, or NULL; to be copied, since
   GCC's collector may take it when the pass ends.  */
const char *names_of_file(const char *file);

/* The name of the compilation's directory, to be copied, too.  */
const char *names_of_directory(void);

/* The symbol of a function before it is cloned or inlined; NULL if there is none.  Valid
   until the next call.  */
const char *names_symbol(tree function);

/* The symbol of a compiled function, a clone's own; NULL if there is none.  Valid until
   the next call.  */
const char *names_compiled_symbol(tree function);

/* Whether the compiled function only leads to another one of the same source: a
   destructor that also frees, a lambda made a pointer, a thunk.  */
bool names_is_entry(tree function);

/* What the function is to people, and what the compiled FUNCTION is to the one that it
   was made from: enum ccprof_source.  */
unsigned names_flags(tree function);
unsigned names_role(tree function);

/* While the front end can still do it: names the abstract constructor or destructor that
   FUNCTION, the current function, was made from, since inlined ones refer to it; and
   remembers which operator FUNCTION calls if it makes a lambda a pointer.  */
void names_prepare(tree function);

/* For names-symbols.cc: the assembler name, if it has been set already, without a `*';
   and the declared name.  NULL: there is none.  */
const char *names_assembler(tree function);
const char *names_declared(tree function);

#endif
