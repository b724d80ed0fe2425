/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses C++ names into tokens, and fits them to the width of a column: replaces template
   arguments by `...', then removes scopes, and at last cuts the name in its middle. The
   tables and names/ fit names; names/readable.c parses names to make them
   readable. */

#ifndef MLPROF_CXXNAME_H
#define MLPROF_CXXNAME_H

#include "mlprof/base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* A word, `operator' with its symbol, `::', `->', `...', a character in quotes, a comma
   with blanks, blanks, or another single byte. */
struct cxxname_token {
    const char *text; /* LENGTH bytes; a hidden token has none */
    size_t length;
    size_t partner; /* index of the matching bracket; not greater than the own index if
                       there is none */
    size_t
        lists; /* of a closing bracket: template argument lists that it ends or is in */
};

/* A parsed name. The last token is the rest of the text, which was not parsed. It is
   empty, or it is a name in `<>' that ccprof has invented. */
struct cxxname {
    struct cxxname_token *tokens;
    size_t count;
    bool valid;        /* whether all brackets match and are not nested too deeply */
    struct pool texts; /* texts of cxxname_set */
};

/* Parses TEXT, which must stay as long as the tokens are used. */
struct cxxname cxxname_parse(const char *text);

/* Put before the declaration of a struct cxxname: frees it at the end of the scope. */
#define CXXNAME_OWN __attribute__((cleanup(cxxname_free)))
void cxxname_free(struct cxxname *name);

/* Returns the tokens from FIRST up to, but not including, END; freed by free. */
char *cxxname_print(const struct cxxname *name, size_t first, size_t end);

/* Hides the tokens from FIRST up to END. */
void cxxname_hide(struct cxxname *name, size_t first, size_t end);

/* Replaces the text of TOKEN by a copy of TEXT. */
void cxxname_set(struct cxxname *name, size_t token, const char *text);

/* Returns whether the text of TOKEN is TEXT. */
bool cxxname_is(const struct cxxname *name, size_t token, const char *text);

/* Returns the index of the token after TOKEN. A pair of brackets with its content
   counts as one token. */
size_t cxxname_next(const struct cxxname *name, size_t token);

/* Returns the index of the comma or bracket after the argument that begins at TOKEN. */
size_t cxxname_argument_end(const struct cxxname *name, size_t token);

/* Returns whether C may be part of a C++ word. */
bool cxxname_is_word(char c);

/* Returns NAME in at most MOST columns, at least 4; freed by free. Shortens the name
   in these steps, until it fits: replaces long template arguments; replaces scopes
   before the first argument list by `...'; replaces all template arguments; removes
   parameters; removes all scopes; cuts the function's own name in its middle. */
char *cxxname_fit(const char *name, size_t most);

/* Returns NAME; freed by free. If it is wider than MOST columns, `...' replaces template
   arguments, the most deeply nested first. If it is wider than WIDEST columns, `...' also
   replaces scopes after the outermost one, as in a::...::c::f; then all arguments and
   parameters. The function's own name stays complete, even if the result is then wider
   than WIDEST. */
char *cxxname_narrow(const char *name, size_t most, size_t widest);

/* Returns NAME in at most MOST columns, with the template arguments around COUNT byte
   POSITIONS, which are in increasing order; freed by free. `...' replaces the other
   arguments: a::b<c, d<e>, f>::g with one position in d becomes a::b<...d<e>...>::g.
   Returns NULL if no position is inside arguments, or if there is no room. */
char *cxxname_keep_places(const char *name, const size_t *positions, size_t count,
                          size_t most);

#endif
