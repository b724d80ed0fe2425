/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shortens names of C++ to the width of a column: replaces template arguments by `...',
   then removes scopes.  A name of another language loses its beginning.  */

#ifndef MLPROF_CXXNAME_H
#define MLPROF_CXXNAME_H

#include <stdbool.h>
#include <stddef.h>

/* The greatest depth of brackets, since the stack is bounded.  Names of real programs
   have fewer.  */
#define REWRITER_DEEPEST 200

/* Reads a name and writes another.  Users may move AT.  */
struct rewriter {
    const char *at; /* the next byte to be read */
    char *text;     /* what was written; freed by the caller of rewriter_begin */
    size_t length, capacity;
    int depth; /* number of open brackets */
    bool bad;  /* the name is no name of C++ */
};

/* Starts to read NAME, which the caller owns.  */
struct rewriter rewriter_begin(const char *name);

/* Writes LENGTH bytes of TEXT.  */
void rewriter_put(struct rewriter *rewriter, const char *text, size_t length);

/* Copies the next LENGTH bytes from what is read to what is written.  */
void rewriter_copy(struct rewriter *rewriter, size_t length);

/* Leaves only the first LENGTH bytes of what was written.  */
void rewriter_cut(struct rewriter *rewriter, size_t length);

/* Goes one pair of brackets deeper; the caller makes DEPTH less again.  Sets BAD if there
   are too many.  */
void rewriter_deeper(struct rewriter *rewriter);

/* Whether C may be part of a word of C++.  */
bool cxxname_is_word(char c);

/* The length in bytes of the word at AT, or of `operator' with its operator; 0: there is
   no word.  */
size_t cxxname_word(const char *at);

/* NAME, in which template arguments are left out, the most deeply nested first, until it
   has at most MOST columns.  It may stay wider.  Freed by free.  */
char *cxxname_leave_out(const char *name, size_t most);

/* NAME, narrowed step by step until it has at most MOST columns, at least 4: without long
   arguments; without scopes in front of the first arguments, behind `...'; without any
   arguments; without parameters; without all scopes.  The function's own name is cut
   last, in its middle.  Freed by free.  */
char *cxxname_fit(const char *name, size_t most);

/* NAME.  If it is wider than MOST columns, `...' replaces scopes between the outermost
   scope and the inner scopes that have room, as in a::...::c::f.  If that is not enough,
   arguments and parameters are removed.  The function's own name stays whole, even where
   the result is wider then.  Freed by free.  */
char *cxxname_middle(const char *name, size_t most);

/* NAME in at most MOST columns, with `...' for what of its arguments is not at one of the
   COUNT bytes AT, which increase: of a::b<c, d<e>, f>::g with one in d it is
   a::b<...d<e>...>::g.  NULL: none of them is in arguments, or there is no room for what
   is there.  Freed by free.  */
char *cxxname_around(const char *name, const size_t *at, size_t count, size_t most);

#endif
