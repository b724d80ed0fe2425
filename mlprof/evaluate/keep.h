/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the language of -keep, which says which functions are shown: MLton's
   s-expressions (MLton/mlton, mlprof/main.sml and lib/mlton/basic/sexp.sml;
   doc/guide/src/CallGraph.adoc says what they mean).  For the options; keep-rows.h
   evaluates.  */

#ifndef MLPROF_KEEP_H
#define MLPROF_KEEP_H

#include "mlprof/base/pattern.h"

#include <stddef.h>
#include <stdint.h>

#define KEEP_NONE UINT32_MAX

/* Expressions within expressions.  */
#define KEEP_DEEPEST 100

enum keep_form {
    KEEP_ALL,
    KEEP_AND,
    KEEP_FROM,
    KEEP_MATCH, /* "re" */
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
    uint32_t first, next;   /* the first argument, and what comes next among those that it
                               is an argument with; KEEP_NONE: none */
    struct pattern pattern; /* of KEEP_MATCH; it owns its text */
    double least;           /* percent; of a threshold */
};

/* Starts as all zero: all functions are shown.  The last expression is the whole.  */
struct keep {
    struct keep_expression *expressions;
    size_t count, capacity;
};

/* Makes KEEP the expression that TEXT is.  If it is none, returns what is wrong with it
   and at which character, to be freed, and KEEP is empty; otherwise NULL.  */
char *keep_parse(struct keep *keep, const char *text);

void keep_free(struct keep *keep);

#endif
