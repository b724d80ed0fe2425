/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells whether the means of a few runs differ, and which of many such findings hold, for
   what compares runs.  Pure functions.  */

#ifndef MLPROF_STUDENT_H
#define MLPROF_STUDENT_H

#include <stddef.h>

/* In which share of cases Student's t is as far from 0 as T or farther, either way.
   FREEDOM, the degrees of freedom, is more than 0; INFINITY: the normal distribution.  */
double student_beyond(double t, double freedom);

/* How far from 0 t is in 5 of 100 cases: 1.96 if FREEDOM is INFINITY, 12.7 if it is 1. */
double student_bound(double freedom);

/* A number and how it varies.  */
struct student_mean {
    double mean;
    double variance; /* of the mean: of one run, divided by the number of runs */
    double freedom;  /* of VARIANCE; INFINITY: it is known */
};

/* Degrees of freedom of the difference of two means (Welch, Biometrika 34, 1947, p. 28).
 */
double student_freedom(const struct student_mean *one, const struct student_mean *other);

/* The mean of COUNT values, at least 1, and its variance; 0 with freedom 0 if there is
   one value alone.  */
struct student_mean student_mean(const double *values, size_t count);

/* What variances of several things have in common.  */
struct student_common {
    double ratio;   /* each is about so many times what it was to be */
    double freedom; /* of RATIO where it stands for any one of them */
};

/* RATIOS are COUNT variances, each divided by what it was to be, and of FREEDOM degrees.
   The ratio in the middle is taken, so that a few that are far out do not matter (the
   median of chi-squared: Wilson, Hilferty, Proceedings of the National Academy of
   Sciences 17, 1931, p. 684).  It has half the degrees of freedom of them all, about what
   a median is worth, or fewer if they differ by more than chance (Smyth, Statistical
   Applications in Genetics and Molecular Biology 3, 2004, article 3, section 6.2).  Sorts
   RATIOS, which are greater than 0.  Fewer than three have no middle: 1 of INFINITY.  */
struct student_common student_common(double *ratios, size_t count, double freedom);

/* Puts in place of each of COUNT probabilities the probability that among those that are
   as low or lower any is a false finding, whatever they have to do with each other (Holm,
   Scandinavian Journal of Statistics 6, 1979, p. 65).  */
void student_family(double *probabilities, size_t count);

#endif
