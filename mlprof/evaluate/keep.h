/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The language of -keep, which selects the functions that are shown: parses it, for the
   options, and finds the rows, for evaluate.c.  The language is MLton's s-expressions
   (MLton/mlton, mlprof/main.sml and lib/mlton/basic/sexp.sml;
   doc/guide/src/CallGraph.adoc says what they mean).  */

#ifndef MLPROF_KEEP_H
#define MLPROF_KEEP_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/base/pattern.h"
#include "mlprof/names/names.h"

#include <stddef.h>
#include <stdint.h>

#define KEEP_NONE UINT32_MAX

/* The greatest depth of expressions.  */
#define KEEP_DEEPEST 100

enum keep_form {
    KEEP_ALL,
    KEEP_AND,
    KEEP_FROM,
    KEEP_MATCH, /* "RE" */
    KEEP_NOT,
    KEEP_OR,
    KEEP_PRED,
    KEEP_SUCC,
    KEEP_THRESH,
    KEEP_THRESH_GC,
    KEEP_THRESH_STACK,
    KEEP_TO
};

struct keep_expression {
    enum keep_form form;
    /* The first argument of the expression, and the next argument of the expression it is
       in, or KEEP_NONE.  */
    uint32_t first, next;
    struct pattern pattern; /* of KEEP_MATCH; the text is to be freed */
    double least;           /* of a threshold, in percent */
};

/* All zero: all functions are shown.  The last expression is the outermost.  */
struct keep {
    struct keep_expression *expressions;
    size_t count, capacity;
};

/* Parses TEXT into KEEP.  On an error returns the message, with the number of the
   character, to be freed, and KEEP is empty; otherwise NULL.  */
char *keep_parse(struct keep *keep, const char *text);

void keep_free(struct keep *keep);

/* By row: whether it is kept; to be freed.  MLton's rules hold (mlprof/main.sml,
   NodePred.nodes and display): callers and callees are found copy by copy, and a row is
   kept if one of its copies is.  The names of ROWS must be settled.  Calls are
   those on the stacks; those of ARCS if calls were counted; those of the tables if
   nothing was measured.  */
bool *keep_rows(const struct keep *keep, const struct rows *rows, const struct arcs *arcs,
                const struct names_style *style);

#endif
