/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes whether the means of a few runs differ, and which of many such findings hold,
   for the modules that compare runs.  Pure functions.  */

#ifndef MLPROF_STUDENT_H
#define MLPROF_STUDENT_H

#include <stdbool.h>
#include <stddef.h>

/* The probability that Student's t is at least as far from 0 as T, on either side.
   FREEDOM, the degrees of freedom, is more than 0; INFINITY: the normal distribution.  */
double student_beyond(double t, double freedom);

/* The value that t exceeds, on either side, in 5 of 100 cases: 1.96 if FREEDOM is
   INFINITY, 12.7 if it is 1.  */
double student_bound(double freedom);

/* A mean and its variance.  */
struct student_mean {
    double mean;
    /* Of the mean: the variance of a value divided by the number of values.  */
    double variance;
    double freedom; /* of VARIANCE; INFINITY: the variance is known */
};

/* Degrees of freedom of the difference of two means (Welch, Biometrika 34, 1947, p. 28).
 */
double student_freedom(const struct student_mean *one, const struct student_mean *other);

/* The mean of COUNT values, at least 1, and its variance.  With one value, variance and
   freedom are 0.  */
struct student_mean student_mean(const double *values, size_t count);

/* The interval of 95 % of the ratio of two means, that of ABOVE by that of BELOW
   (Fieller, Journal of the Royal Statistical Society B 16, 1954, p. 175).  False if a
   variance is not known, or both are 0, or if BELOW may be 0, so that the ratio has no
   bounds.  */
bool student_ratio(const struct student_mean *above, const struct student_mean *below,
                   double *least, double *most);

/* A factor that the variances of several things have in common.  */
struct student_common {
    double ratio;   /* each variance is about this times its expected value */
    double freedom; /* of RATIO, when it is used for one of the things */
};

/* The common factor of COUNT variances.  RATIOS, which are greater than 0, have each
   variance divided by its expected value, with FREEDOM degrees of freedom.  The median
   ratio is taken, so that a few outliers do not matter (the median of chi-squared:
   Wilson, Hilferty, Proceedings of the National Academy of Sciences 17, 1931, p. 684).
   It has half the degrees of freedom of all ratios, about what a median is worth, or
   fewer if the ratios differ by more than chance (Smyth, Statistical Applications in
   Genetics and Molecular Biology 3, 2004, article 3, section 6.2).  Sorts RATIOS.  With
   fewer than three ratios: 1 with INFINITY.  */
struct student_common student_common(double *ratios, size_t count, double freedom);

/* Replaces each of COUNT probabilities by the probability that any of those findings that
   are at least as certain is false, whatever their dependence (Holm, Scandinavian Journal
   of Statistics 6, 1979, p. 65).  */
void student_family(double *probabilities, size_t count);

#endif
