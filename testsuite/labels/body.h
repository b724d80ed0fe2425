/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies of functions: random statements, with the constants of the function in them
   and calls of others.  */

#ifndef CCPROF_TRUTH_BODY_H
#define CCPROF_TRUTH_BODY_H

#include "text.h"

/* What a function takes and gives:
     NARROW  u32 f(u32 x, u32 y)
     WIDE    u64 f(u64 w, u32 y)
     RECORD  u32 f(struct record *r, u32 y)
     CELLS   void f(u32 *cell, u32 y)  */
enum shape { SHAPE_NARROW, SHAPE_WIDE, SHAPE_RECORD, SHAPE_CELLS, SHAPES };

struct function {
    struct owner owner;
    enum shape shape;
    char call[96];          /* what stands before the arguments; @ for a template's */
    const char *qualifiers; /* behind the parameters: " const" or "" */
    unsigned layer;         /* 0: calls nothing */
    bool once;              /* to be called only once */
    unsigned called;
};

/* The functions that a body may call.  */
struct callees {
    struct function *const *list;
    unsigned n;
};

/* What stands before the name, and the parameters.  */
const char *body_result(enum shape shape);
const char *body_parameters(enum shape shape);

/* From the opening brace to the closing one.  LAMBDAS: the language has them.  */
void body_write(struct text *t, const struct function *f, struct callees callees,
                bool lambdas);

/* The program's main, F, which calls them all.  */
void body_main(struct text *t, const struct function *f, struct callees callees,
               bool lambdas);

#endif
