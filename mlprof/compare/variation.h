/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes how uncertain the change of a sampled function is if a side has several
   runs, for change.c. With two or three runs the times of one function are not enough
   to estimate their variance. So the uncertainty is the greater of:

   - the variance of the function's times between runs, on each side;

   - the variance of sampling, times the factor by which the shares of all functions
     vary more than by sampling (McCullagh, Nelder, Generalized Linear Models, section
     5.5: the dispersion of multinomial counts), plus the variance of the total times of
     the runs, which all functions have in common.

   The degrees of freedom are combined by Satterthwaite's rule (Biometrics Bulletin 2,
   1946, p. 110).

   This module also decides which of the tested changes are certain, of functions and of
   regions (regionchange.h), and in which order they are shown. Changes of exact counts
   are not tested (change.c). All changes of a comparison are
   tested together. Among many tests some differ by chance, and the share of one
   function depends on all the others. So the family-wise error is bounded: in 95 of
   100 comparisons all changes that are called certain are real, whatever else has
   changed (student_family).

   All functions are pure. */

#ifndef MLPROF_VARIATION_H
#define MLPROF_VARIATION_H

#include "mlprof/base/statistics.h"
#include "mlprof/compare/runset.h"

#include <stdbool.h>
#include <stddef.h>

struct variation {
    const struct runset *const *sides; /* before, after */
    bool of_share;                     /* values are shares, not seconds */
    struct student_common
        common; /* factor for all functions, computed from their ratios */
};

/* The values of one function in the compared runs. */
struct variation_values {
    uint64_t *counts[2]; /* before, after: samples by run */
    double *values[2];   /* before, after: shares or seconds by run */
};

/* The variance of a difference. */
struct variation_estimate {
    double variance; /* 0: unknown, or the runs are equal */
    double freedom;
};

/* Returns the design effect of COUNT samples of a side: how much greater their variance
   is since some signals count for several samples. */
double variation_design_effect(const struct variation *variation, size_t side,
                               uint64_t count);

/* Returns the ratio of two variances of the function's shares: the variance between
   runs, and the variance of sampling. Returns 0 if there are too few samples. */
double variation_ratio(const struct variation *variation,
                       const struct variation_values *function);

/* Returns the degrees of freedom of a ratio; 0 if no side has several runs. */
double variation_freedom(const struct variation *variation);

/* Returns the variance of the difference of the means of samples. COMMON must be set. */
struct variation_estimate variation_of_samples(const struct variation *variation,
                                               const struct variation_values *function);

/* Returns the variance of the difference of two MEANS of so many RUNS (Welch's test). If
   a side has one run, its runs are assumed to vary as much as those of the other side. */
struct variation_estimate variation_of_means(const struct student_mean means[2],
                                             const size_t runs[2]);

/* Likewise of the means of counts. COUNTS and COMMON are not used. */
struct variation_estimate variation_of_counts(const struct variation *variation,
                                              const struct variation_values *function);

/* The result of a test. Initialize with zeros, and both ends of INTERVAL with the
   change. */
struct verdict {
    struct statistics_interval interval; /* of the value after minus the value before */
    bool tested;                         /* CHANCE is set */
    /* The probability of such a change by chance. CHANCE and INTERVAL apply to a test
       of this change only, not to a test of all changes together. */
    double chance;
    bool certain; /* certain when all changes are tested together */
};

/* Adds a source of uncertainty: CHANGE has this VARIANCE with FREEDOM degrees of
   freedom. The source with the greatest uncertainty counts. Returns false and does
   nothing if VARIANCE or FREEDOM is 0, which means unknown. */
bool verdict_widen(struct verdict *verdict, double change, double variance,
                   double freedom);

struct verdict_counts {
    size_t tested, certain;
};

/* Decides which of COUNT verdicts are certain. SIZE is the distance of two verdicts
   in bytes. Verdicts that were not tested are not changed. */
struct verdict_counts verdict_decide(struct verdict *first, size_t count, size_t size);

/* For qsort: certain changes come first, then greater changes, up or down. Returns 0
   if both are equal. */
int verdict_order(const struct verdict *one, double change, const struct verdict *other,
                  double other_change);

/* Returns the chance for tables, with a star if the change is certain. The caller
   frees the text. */
char *verdict_text(const struct verdict *verdict);

#endif
