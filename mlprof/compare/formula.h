/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and computes the formulas of -formula, by which profiles are compared (O.
   Waddell, J. M. Ashley, "Visualizing the performance of higher-order programs", 1998).
   A formula has numbers, the values a and b of a function before and after, the sizes
   n(a) and n(b) of the inputs, + - * / ^, the comparisons < <= > >= == !=, parentheses,
   log (the natural one), sqrt, abs, and max and min of two values or more.  ^ binds most
   tightly and to the right, then the sign, then * and /, then + and -, and comparisons
   least: such a one is 1 if it is true, otherwise 0.  */

#ifndef MLPROF_FORMULA_H
#define MLPROF_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

/* The variables of formulas.  */
struct formula_values {
    double a, b;
    double size_a, size_b;
};

/* A step of a formula, whose operands are on top of a stack.  */
struct formula_step {
    enum {
        FORMULA_NUMBER,
        FORMULA_A,
        FORMULA_B,
        FORMULA_SIZE_A,
        FORMULA_SIZE_B,
        FORMULA_OPERATION
    } what;
    double number;
    /* Of an operation: its result from both operands, of which it may take OTHER
       alone.  */
    double (*compute)(double one, double other);
    bool both;
};

/* The greatest depth of parentheses, signs and powers.  */
#define FORMULA_DEPTH 100

/* Starts as all zero.  */
struct formula {
    struct formula_step *steps; /* in reverse Polish order */
    size_t count, capacity;
    size_t deepest; /* the most values that are on the stack */
    char *text;     /* as it was read */
};

/* Parses TEXT into FORMULA, which formula_free frees in any case.  Returns NULL, or a
   message with the number of the character, to be freed.  */
char *formula_read(struct formula *formula, const char *text);

/* Whether the formula has n(a) or n(b).  */
bool formula_has_sizes(const struct formula *formula);

/* Infinite or not a number if the formula has no value, as 1 / 0.  Neither has a
   comparison, a greatest or a least value if one of its operands is not a number.  */
double formula_value(const struct formula *formula, const struct formula_values *values);

void formula_free(struct formula *formula);

#endif
