/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells change.c how uncertain the change of a sampled function is by what several runs
   of each side tell.  Of two or three runs one function's times alone tell too little, so
   its change is as uncertain as the greater of these says:

   - how the function's times differ from run to run, on each side;
   - chance in sampling, times as much as the shares of all functions vary more than that
     (McCullagh, Nelder, Generalized Linear Models, section 5.5: the dispersion of
     multinomial counts), and beside it how the runs' whole times vary, which all
   functions have in common.

   The degrees of freedom are those of the parts (Satterthwaite, Biometrics Bulletin 2,
   1946, p. 110).  Pure functions.  */

#ifndef MLPROF_VARIATION_H
#define MLPROF_VARIATION_H

#include "mlprof/base/student.h"
#include "mlprof/compare/side.h"

/* The runs that are compared.  */
struct variation {
    const struct side *const *sides; /* before, after */
    bool of_share;                   /* of shares, not of seconds */
    struct student_common common;    /* of all functions, from their ratios */
};

/* One function in them.  */
struct variation_of {
    const uint64_t *counts[2]; /* before, after: samples, by run */
    const double *values[2];   /* the same in the unit: shares or seconds */
};

/* A difference's variance.  */
struct variation_found {
    double variance; /* 0: not known, or runs do not differ */
    double freedom;
};

/* By how much the function's shares vary more than samples do.  0: its samples do not
   tell.  */
double variation_ratio(const struct variation *variation,
                       const struct variation_of *function);

/* The degrees of freedom of such a ratio: 0 if no side has several runs.  */
double variation_freedom(const struct variation *variation);

/* How uncertain the difference of the means of samples is; COMMON is known.  */
struct variation_found variation_of_samples(const struct variation *variation,
                                            const struct variation_of *function);

/* The same of counts, which vary from run to run or not at all (Welch's test).  Needs
   neither counts nor COMMON.  */
struct variation_found variation_of_counts(const struct variation *variation,
                                           const struct variation_of *function);

#endif
