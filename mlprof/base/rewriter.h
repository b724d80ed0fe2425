/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a name and writes another, for the modules that shorten names of C++.  They may
   move AT and may cut off the end of what was written.  */

#ifndef MLPROF_REWRITER_H
#define MLPROF_REWRITER_H

#include <stdbool.h>
#include <stddef.h>

/* The greatest depth of brackets.  No program's names have more, and the stack is
   bounded.  */
#define REWRITER_DEEPEST 200

struct rewriter {
    const char *at; /* the next byte to be read */
    char *text;     /* what was written; freed by the caller of rewriter_begin */
    size_t length, capacity;
    int depth; /* number of open brackets */
    bool bad;  /* the name is no name of C++ */
};

/* Starts with nothing read of NAME, which stays the caller's.  */
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

#endif
