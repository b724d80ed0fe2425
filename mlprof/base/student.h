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

/* Puts in place of COUNT probabilities the share of false findings that there would be
   among all findings if those with this probability or a lower one were taken for such
   (Benjamini, Hochberg, Journal of the Royal Statistical Society B 57, 1995, p. 289).  */
void student_false_findings(double *probabilities, size_t count);

#endif
