/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what changed between two sides of a comparison, and how certain that is.

   Samples: one is taken in each interval of the clock, at random, so that the count of a
   function that comes and goes faster than the intervals is binomial, and that of one
   that stays longer varies less (rt/sample/interval.h); so a binomial is never too
   narrow.  Of several runs on a side the variance between runs counts, too
   (variation.h).  A change is as uncertain as the worse of the two says.

   Counts are exact: only several runs that differ make them uncertain.

   Which are certain is decided of all rows (verdict.h).  Rows of so few samples that not
   even the greatest difference would be certain are not among those that are looked at
   (Gilbert, Applied Statistics 54, 2005, p. 143).  */

#ifndef MLPROF_CHANGE_H
#define MLPROF_CHANGE_H

#include "mlprof/compare/match.h"
#include "mlprof/compare/verdict.h"

struct change {
    size_t row;           /* of the match */
    bool exists[2];       /* before, after: the program has such a function */
    double before, after; /* mean of the runs, in the unit */
    double share[2];      /* before, after: of all, 0 to 1 */
    bool exact;           /* there is nothing uncertain, and it was not tested */
    struct verdict verdict;
};

struct changes {
    enum side_measure measure;
    bool sampled;
    bool of_share;          /* the unit is a share of all; otherwise seconds, or counts */
    struct change *changes; /* certain ones first, then by size; those without anything on
                               both sides are left out */
    size_t count;
    size_t tested, certain;
    size_t equal;      /* rows of exact counts that are the same */
    struct change all; /* of the seconds on the clock, or of what the counts add up to */
};

/* Fills CHANGES, which changes_free frees.  Both sides have a run and the measure.  */
void changes_find(struct changes *changes, const struct match *match,
                  const struct side *const sides[2], enum side_measure measure,
                  bool of_share);

void changes_free(struct changes *changes);

#endif
