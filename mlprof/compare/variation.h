/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes how uncertain the change of a sampled function is if a side has several runs,
   for change.c.  With two or three runs the times of one function say too little, so the
   uncertainty is the greater of:

   - how the function's times differ from run to run, on each side;

   - chance in sampling, times the factor by which the shares of all functions vary more
   than chance (McCullagh, Nelder, Generalized Linear Models, section 5.5: the dispersion
   of multinomial counts), plus how the total times of the runs vary, which all functions
   have in common.

   The degrees of freedom are combined by Satterthwaite's rule (Biometrics Bulletin 2,
   1946, p. 110).

   And decides which of all changes that were tested together are certain, of functions
   and of regions (regionchange.h), and in which order they are shown.  Among many tests
   some differ by chance, and one function's share depends on all the others'.  So the
   family-wise error is bounded: in 95 of 100 comparisons all changes that are called
   certain are real, whatever else has changed (student_family).  Pure functions.  */

#ifndef MLPROF_VARIATION_H
#define MLPROF_VARIATION_H

#include "mlprof/base/statistics.h"
#include "mlprof/compare/runset.h"

#include <stdbool.h>
#include <stddef.h>

/* The runs that are compared.  */
struct variation {
    const struct runset *const *sides; /* before, after */
    bool of_share;                     /* values are shares, not seconds */
    struct student_common common; /* the factor for all functions, from their ratios */
};

/* One function in these runs.  */
struct variation_of {
    const uint64_t *counts[2]; /* before, after: samples by run */
    const double *values[2];   /* the same in the unit: shares or seconds */
};

/* The variance of a difference.  */
struct variation_found {
    double variance; /* 0: unknown, or the runs do not differ */
    double freedom;
};

/* The factor by which the function's shares vary more than samples do; 0: there are too
   few samples.  */
double variation_ratio(const struct variation *variation,
                       const struct variation_of *function);

/* The degrees of freedom of a ratio; 0 if no side has several runs.  */
double variation_freedom(const struct variation *variation);

/* How uncertain the difference of the means of samples is.  COMMON must be set.  */
struct variation_found variation_of_samples(const struct variation *variation,
                                            const struct variation_of *function);

/* How uncertain the difference of the means of counts is (Welch's test).  Needs neither
   COUNTS nor COMMON.  */
struct variation_found variation_of_counts(const struct variation *variation,
                                           const struct variation_of *function);

/* All zero but for the interval, which holds only the change.  */
struct verdict {
    struct statistics_interval interval; /* of the value after less the value before */
    bool tested;                         /* CHANCE is set */
    /* The probability that chance alone makes this change, of this one alone, as the
       interval is.  */
    double chance;
    bool certain; /* of all that were tested together */
};

/* Takes a source of uncertainty into account: CHANGE has this VARIANCE with so many
   degrees of FREEDOM.  The worst source counts.  Returns false if VARIANCE or FREEDOM is
   0, so that nothing is known.  */
bool verdict_widen(struct verdict *verdict, double change, double variance,
                   double freedom);

struct verdict_counts {
    size_t tested, certain;
};

/* Decides COUNT verdicts, each SIZE bytes behind the one before.  Verdicts that were not
   tested stay as they are.  */
struct verdict_counts verdict_decide(struct verdict *first, size_t count, size_t size);

/* For qsort: certain changes first, then the greater change, up or down; 0: both are
   equal.  */
int verdict_order(const struct verdict *one, double change, const struct verdict *other,
                  double other_change);

/* The chance as tables have it, with a star if the change is certain.  To be freed.  */
char *verdict_text(const struct verdict *verdict);

#endif
