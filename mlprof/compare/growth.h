/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds how the cost of functions grows with the size of the input. The result is the
   exponent k of n^k with its error, fitted to runs at several sizes (weighted least
   squares of the logarithms). The error is computed from the samples, or from the
   variance between runs of one size. For exact counts it is computed from the
   distance of the points from the curve (Student's t). Also declares and prints the
   table of the results. */

#ifndef MLPROF_GROWTH_H
#define MLPROF_GROWTH_H

#include "mlprof/compare/match.h"
#include "mlprof/columns/table.h"
#include "mlprof/view/source-files.h"

#include <stdio.h>

struct growth_point {
    double size, value;
    double variance; /* of the logarithm of the value; 0: exact */
};

struct growth_fit {
    /* Number of points with a value. There is an exponent only if there are at least
       2. */
    size_t points;
    double exponent;
    double error;    /* half of the 95 % confidence interval; NaN: unknown */
    double sampling; /* the error in ERROR that is caused by sampling and by differences
                        between runs */
    /* The exponent between the last two points. If the function grows faster than a
       power of n, LAST is greater than EXPONENT. */
    double last;
};

/* Fits a curve to POINTS, which must be sorted by increasing size. */
struct growth_fit growth_fit(const struct growth_point *points, size_t count);

struct growth_input {
    const struct runset *const *sides;
    const double *sizes; /* in increasing order */
    size_t count;
    struct runset_measure measure;
    bool show_line;
    size_t top;
    double thresh; /* minimum percentage of a row at some size */
    /* The source files, for the texts of lines and expressions. NULL: show no text. */
    struct source_files *files;
};

/* A function with a value at one size or more. */
struct growth_row {
    size_t row; /* row of the match */
    const struct runset_function *function;
    struct growth_fit fit;
    struct growth_point *points; /* one for each side */
    double share;                /* maximum share of the total over all sizes, 0 to 1 */
};

struct growth {
    struct growth_input input;
    struct match match;
    struct growth_row *rows; /* sorted by decreasing exponent */
    size_t count;
};

/* Fills GROWTH. The sides and sizes of INPUT must live as long as GROWTH. Free GROWTH
   with growth_free. */
void growth_find(struct growth *growth, const struct growth_input *input);

void growth_free(struct growth *growth);

/* Returns the table for data formats, with a row for each function and size. Free it
   with table_free. */
struct table growth_table_make(const struct growth *growth);

/* Prints the table for a terminal, with a row for each shown function and a column for
   each size. */
void growth_table_print(FILE *out, const struct growth *growth);

/* The columns of the table of growth. */
extern const struct table_view growth_table;

#endif
