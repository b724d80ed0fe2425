/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds how what functions cost grows with the size of the input: the exponent k of
   n^k, fitted to runs at several sizes (weighted least squares of the logarithms), with
   its error.  The error comes from the samples or from how runs of one size differ; of
   exact counts from how far the sizes are from any power (Student's t).  */

#ifndef MLPROF_GROWTH_H
#define MLPROF_GROWTH_H

#include "mlprof/compare/match.h"

/* What was measured at one size.  */
struct growth_point {
    double size, value;
    double variance; /* of the value's logarithm; 0: exact */
};

struct growth_fit {
    size_t points; /* with a value; of fewer than 2 there is no exponent */
    double exponent;
    double error;    /* half of the interval of 95 %; not a number: unknown */
    double sampling; /* what of it comes from samples and runs */
    double last; /* the exponent between the last two points: greater if it is no power
                    but grows faster */
};

/* POINTS by increasing size.  */
struct growth_fit growth_fit(const struct growth_point *points, size_t count);

struct growth_input {
    const struct side *const *sides;
    const double *sizes;
    size_t count;
    enum side_measure measure;
    bool show_line;
    size_t top;
    double thresh; /* least percentage, at any size, of what is shown */
};

/* The numbers of the sides in the order of their sizes.  To be freed.  */
size_t *growth_order(const struct growth_input *input);

/* A function that has a value at some size.  */
struct growth_row {
    size_t row; /* of the match */
    const struct side_function *function;
    struct growth_fit fit;
    struct growth_point *points; /* by increasing size, as many as sides */
    double share;                /* the greatest that it has of a size's all, 0 to 1 */
};

struct growth {
    struct growth_input input; /* by increasing size */
    const struct side **sides; /* the input's */
    double *sizes;
    struct match match;
    struct growth_row *rows; /* those that grow fastest first */
    size_t count;
};

/* Fills GROWTH, which growth_free frees; INPUT's sides are in any order and live as
   long.  */
void growth_find(struct growth *growth, const struct growth_input *input);

void growth_free(struct growth *growth);

#endif
