/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a name and writes another one in its place.  For whoever shortens names of C++:
   they move AT on, and may cut off the end of what is written.  */

#ifndef MLPROF_REWRITER_H
#define MLPROF_REWRITER_H

#include <stdbool.h>
#include <stddef.h>

/* Brackets within brackets that no name of any program has; a stack is not endless.  */
#define REWRITER_DEEPEST 200

struct rewriter {
    const char *at; /* what is read next */
    char *text;     /* what is written; freed by whoever began */
    size_t length, capacity;
    int depth; /* brackets that are open */
    bool bad;  /* it is no name of C++ */
};

/* Nothing of NAME, which stays the caller's, is read.  */
struct rewriter rewriter_begin(const char *name);

/* Writes LENGTH bytes of TEXT.  */
void rewriter_put(struct rewriter *rewriter, const char *text, size_t length);

/* Writes the next LENGTH bytes that are to be read, which then are.  */
void rewriter_copy(struct rewriter *rewriter, size_t length);

/* Takes back what was written behind the first LENGTH bytes.  */
void rewriter_cut(struct rewriter *rewriter, size_t length);

/* Within one more pair of brackets, until DEPTH is made less; too many are BAD.  */
void rewriter_deeper(struct rewriter *rewriter);

#endif
