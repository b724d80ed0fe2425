/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The language of -keep, which selects the functions that are shown. Parses it, for
   the options, and finds the rows, for report.c. The language uses MLton's
   s-expressions (MLton/mlton, mlprof/main.sml and lib/mlton/basic/sexp.sml;
   doc/guide/src/CallGraph.adoc describes their meaning). */

#ifndef MLPROF_KEEP_H
#define MLPROF_KEEP_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/base/pattern.h"
#include "mlprof/names/names.h"

#include <stddef.h>
#include <stdint.h>

#define KEEP_NONE UINT32_MAX

/* Maximum depth of expressions. */
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
    /* FIRST is the first argument of this expression. NEXT is the argument after this
       expression in the expression that contains it. Both may be KEEP_NONE. */
    uint32_t first, next;
    struct pattern pattern; /* of KEEP_MATCH; the text must be freed */
    double least;           /* of a threshold, in percent */
};

/* All zero: all functions are shown. The last expression is the outermost. */
struct keep {
    struct keep_expression *expressions;
    size_t count, capacity;
};

/* Parses TEXT into KEEP and returns NULL. If TEXT is wrong, KEEP is empty, and the
   result is an error message with the position of the error. The caller frees the
   message. */
char *keep_parse(struct keep *keep, const char *text);

void keep_free(struct keep *keep);

/* Returns, by row, whether the row is kept. The caller frees the result. The rules
   are MLton's (mlprof/main.sml, NodePred.nodes and display): callers and callees are
   determined separately for each copy, and a row is kept if one of its copies is kept.
   The names of ROWS must be final. Calls are taken from ARCS if calls were counted.
   Otherwise they are taken from the stacks, or from the tables if nothing was
   measured. */
bool *keep_rows(const struct keep *keep, const struct rows *rows, const struct arcs *arcs,
                const struct names_style *style);

#endif
