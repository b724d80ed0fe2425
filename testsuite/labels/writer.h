/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the writers of terms, statements and bodies share.  Random choices are made
   while writing, so that the order of calls is part of the result.  */

#ifndef CCPROF_TRUTH_WRITER_H
#define CCPROF_TRUTH_WRITER_H

#include "body.h"

/* The body in work.  Each has the variables x and y (32 bits), w (64 bits),
   r (a record), cell (an array of 16) and far (a room).  */
struct body {
    struct text *t;
    const struct function *f;
    const struct owner *owner; /* F's, or that of a lambda in F */
    struct callees callees;
    unsigned calls; /* that may still be written */
    unsigned temporaries;
    bool lambdas;
    bool recursed;
};

#define PUT(...)   text_put(b->t, __VA_ARGS__)
#define NARROW()   text_constant(b->t, b->owner, false)
#define WIDE()     text_constant(b->t, b->owner, true)
#define PICK(list) (list[random_below(sizeof(list) / sizeof *(list))])

/* term.c: parts of expressions.  */
const char *term_variable(void);
/* What may stand between two terms.  */
char term_operator(void);
/* A variable or more, times a constant.  */
void term_product(struct body *b, const char *variable);
/* What one member or one variable holds, or what an accessor gives.  */
void term_memory(struct body *b);
/* An expression of 32 bits with one constant, or from memory, which stands between the
   operators LEFT and RIGHT (or 0).  Most multiply.  */
void term_write(struct body *b, char left, char right);
/* What stands before the arguments of a call.  */
void term_name(struct text *t, const struct function *f);
/* A call as an expression of 32 bits, or for SHAPE_CELLS as a statement.  */
void term_call(struct body *b, struct function *g);
/* Something that may be called here, or NULL.  VALUE: it must have one.  */
struct function *term_callee(const struct body *b, bool value);
/* A call if there is something to call, or a term.  */
void term_operand(struct body *b, char left, char right);

/* simple.c: statements that hold no others.  */
void simple_assignment(struct body *b);
void simple_wide(struct body *b);
void simple_long(struct body *b); /* of several lines */
void simple_choice(struct body *b);
void simple_stores(struct body *b);
void simple_macro(struct body *b);
void simple_call(struct body *b);
void simple_write(struct body *b);   /* to a member or a variable, or by an accessor */
void simple_outside(struct body *b); /* a call of assembly */

/* Writes any statement.  DEPTH: how many it lies in.  */
typedef void statement_writer(struct body *b, unsigned depth);

/* loop.c: loops; INNER writes what a counted one may hold beside its own.  */
void loop_counted(struct body *b, unsigned depth, statement_writer *inner);
void loop_vector(struct body *b);
void loop_while(struct body *b);

/* statement.c */
statement_writer statement_write;

#endif
