/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shortens C++ names to the width of a column: replaces template arguments by `...',
   then removes scopes. A name of another language loses its beginning. Used by the
   tables and by the names of functions (names/). rewriter_ reads and rewrites a name
   token by token.  */

#ifndef MLPROF_CXXNAME_H
#define MLPROF_CXXNAME_H

#include <stdbool.h>
#include <stddef.h>

/* The maximum depth of nested brackets, which bounds the recursion. Names of real
   programs are less deep.  */
#define REWRITER_DEEPEST 200

/* Reads a name and writes a changed name. Callers may move AT.  */
struct rewriter {
    const char *at; /* next byte to read */
    char *text;     /* text written so far; freed by the caller of rewriter_begin */
    size_t length, capacity;
    int depth; /* number of open brackets */
    bool bad;  /* not a C++ name */
};

/* Starts to read NAME, which the caller owns.  */
struct rewriter rewriter_begin(const char *name);

/* Writes LENGTH bytes of TEXT.  */
void rewriter_put(struct rewriter *rewriter, const char *text, size_t length);

/* Copies the next LENGTH bytes of the input to the output.  */
void rewriter_copy(struct rewriter *rewriter, size_t length);

/* Truncates the output to LENGTH bytes.  */
void rewriter_cut(struct rewriter *rewriter, size_t length);

/* Enters a pair of brackets, and sets BAD if the nesting is too deep. The caller
   decreases DEPTH when it leaves the brackets.  */
void rewriter_deeper(struct rewriter *rewriter);

/* Returns whether C may be part of a C++ word.  */
bool cxxname_is_word(char c);

/* Returns the length in bytes of the word at AT, or of `operator' with its operator; 0
   if there is no word.  */
size_t cxxname_word(const char *at);

/* Returns NAME without some of its template arguments; freed by free. Removes the most
   deeply nested arguments first, until the name fits MOST columns. The result may
   still be wider.  */
char *cxxname_leave_out(const char *name, size_t most);

/* Returns NAME in at most MOST columns, at least 4; freed by free. Shortens the name
   in these steps, until it fits: replaces long template arguments; replaces scopes
   before the first argument list by `...'; replaces all template arguments; removes
   parameters; removes all scopes; cuts the function's own name in its middle.  */
char *cxxname_fit(const char *name, size_t most);

/* Returns NAME; freed by free. If it is wider than MOST columns, `...' replaces scopes
   after the outermost one, as in a::...::c::f. If this is not enough, template
   arguments and parameters are removed. The function's own name stays complete, even
   if the result is then wider than MOST.  */
char *cxxname_middle(const char *name, size_t most);

/* Returns NAME in at most MOST columns, with the template arguments around COUNT byte
   positions; freed by free. AT lists the positions in increasing order. `...' replaces
   the other arguments: a::b<c, d<e>, f>::g with one position in d becomes
   a::b<...d<e>...>::g. Returns NULL if no position is inside arguments, or if there is
   no room.  */
char *cxxname_around(const char *name, const size_t *at, size_t count, size_t most);

#endif
