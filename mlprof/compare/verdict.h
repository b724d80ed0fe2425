/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides how certain changes are, of functions (change.h) and of regions
   (regionchange.h): which of all that were tested together are certain, and in which
   order they are shown.  Pure functions.

   Among many tests some differ by chance, and one function's share depends on all the
   others'.  So the family-wise error is bounded: in 95 of 100 comparisons all changes
   that are called certain are real, whatever else has changed (student_family).  */

#ifndef MLPROF_VERDICT_H
#define MLPROF_VERDICT_H

#include "mlprof/base/statistics.h"

#include <stdbool.h>
#include <stddef.h>

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
