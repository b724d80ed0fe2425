/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds how the cost of functions grows with the size of the input: the exponent k of
   n^k, fitted to runs at several sizes (weighted least squares of the logarithms), with
   its error.  The error is computed from the samples or from the variance between runs of
   one size; for exact counts, from the distance of the points from the curve (Student's
   t).  And the table of that, for all outputs (growth.c).  */

#ifndef MLPROF_GROWTH_H
#define MLPROF_GROWTH_H

#include "mlprof/compare/match.h"
#include "mlprof/columns/table.h"
#include "mlprof/view/source-files.h"

#include <stdio.h>

/* The measured value at one size.  */
struct growth_point {
    double size, value;
    double variance; /* of the logarithm of the value; 0: exact */
};

struct growth_fit {
    /* Number of points with a value; with fewer than 2 there is no exponent.  */
    size_t points;
    double exponent;
    double error;    /* half the interval of 95 %; not a number: unknown */
    double sampling; /* the part of ERROR that comes from samples and runs */
    /* The exponent between the last two points.  It is greater than the exponent if the
       growth is faster than a power.  */
    double last;
};

/* Fits POINTS, which are sorted by increasing size.  */
struct growth_fit growth_fit(const struct growth_point *points, size_t count);

struct growth_input {
    const struct runset *const *sides;
    const double *sizes;
    size_t count;
    struct runset_measure measure;
    bool show_line;
    size_t top;
    double thresh; /* rows need this percentage at some size */
    /* The texts of lines and expressions; NULL: they have none.  */
    struct source_files *files;
};

/* The numbers of the sides in the order of their sizes; to be freed.  */
size_t *growth_order(const struct growth_input *input);

/* A function that has a value at some size.  */
struct growth_row {
    size_t row; /* of the match */
    const struct runset_function *function;
    struct growth_fit fit;
    struct growth_point *points; /* by increasing size, one for each side */
    double share;                /* the greatest share of a size's total, 0 to 1 */
};

struct growth {
    struct growth_input input; /* sorted by increasing size */
    const struct runset **sides;
    double *sizes;
    struct match match;
    struct growth_row *rows; /* by decreasing exponent */
    size_t count;
};

/* Fills GROWTH, which growth_free frees.  The sides of INPUT are in any order and must
   live as long as GROWTH.  */
void growth_find(struct growth *growth, const struct growth_input *input);

void growth_free(struct growth *growth);

/* The table for data formats, which table_free frees, with a row for each function and
   size.  */
struct table growth_table_make(const struct growth *growth);

/* Prints the table of a terminal, with a row for each function that is shown, and a
   column for each size.  */
void growth_table_print(FILE *out, const struct growth *growth);

/* The columns of that table.  */
extern const struct table_view growth_table;

#endif
