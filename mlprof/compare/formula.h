/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses and computes the formulas of -formula, which compare profiles (O. Waddell, J.
   M. Ashley, "Visualizing the performance of higher-order programs", 1998). A
   formula can use:

     - numbers,
     - the values a and b of a function before and after,
     - the sizes n(a) and n(b) of the inputs,
     - + - * / ^ and parentheses,
     - the comparisons < <= > >= == !=, which are 1 if they are true, otherwise 0,
     - log (natural), sqrt, abs, and max and min of two or more values.

   Precedence from high to low: ^ (right-associative), sign, * and /, + and -,
   comparisons. */

#ifndef MLPROF_FORMULA_H
#define MLPROF_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

struct formula_values {
    double a, b;
    double size_a, size_b;
};

/* A step in the computation of a formula. Its operands are on top of a stack. */
struct formula_step {
    enum {
        FORMULA_NUMBER,
        FORMULA_A,
        FORMULA_B,
        FORMULA_SIZE_A,
        FORMULA_SIZE_B,
        FORMULA_OPERATION
    } kind;
    double number;
    /* Of an operation: computes the result. BOTH: it has two operands; otherwise it
       uses only OTHER. */
    double (*compute)(double one, double other);
    bool both;
};

/* The maximum depth of parentheses, signs and powers. */
#define FORMULA_DEPTH 100

/* Initialize with zeros. */
struct formula {
    struct formula_step *steps; /* in reverse Polish notation */
    size_t count, capacity;
    size_t deepest; /* maximum number of values on the stack */
    char *text;     /* source text of the formula */
};

/* Parses TEXT into FORMULA. Returns NULL, or a message with the number of the wrong
   character; the caller frees it. Free FORMULA with formula_free in any case. */
char *formula_read(struct formula *formula, const char *text);

/* Returns whether the formula uses n(a) or n(b). */
bool formula_has_sizes(const struct formula *formula);

/* Computes the formula. Returns infinity or NaN if it has no value, for example 1 /
   0. Comparisons, max and min return NaN if an operand is NaN. */
double formula_value(const struct formula *formula, const struct formula_values *values);

void formula_free(struct formula *formula);

#endif
