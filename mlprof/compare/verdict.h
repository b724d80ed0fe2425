/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides how certain changes are, of functions (change.h) and of regions
   (regionchange.h): which of all that were tested together are certain, and in which
   order they stand.  Pure functions.

   Many are looked at, so that some differ by chance, and what one profile has depends on
   the rest of it: those that are called certain are right, all of them, in 95 of 100
   comparisons, whatever else has changed (student_family).  */

#ifndef MLPROF_VERDICT_H
#define MLPROF_VERDICT_H

#include "mlprof/base/statistics.h"

#include <stdbool.h>
#include <stddef.h>

/* Starts as all zero but for the interval, which holds the change alone.  */
struct verdict {
    struct statistics_interval interval; /* of after less before */
    bool tested;                         /* CHANCE is known */
    double chance; /* that chance alone makes this change, or one that is less likely to
                      be chance, if these are called certain; of this one alone until
                      verdict_decide was called */
    bool certain;
};

/* A source of uncertainty: CHANGE has this VARIANCE, of so many degrees of FREEDOM.  The
   worst one counts.  Returns whether anything is known by it: neither of them is 0.  */
bool verdict_widen(struct verdict *verdict, double change, double variance,
                   double freedom);

struct verdict_counts {
    size_t tested, certain;
};

/* Decides of COUNT verdicts, each SIZE bytes behind the one before; what was not tested
   stays as it is.  */
struct verdict_counts verdict_decide(struct verdict *first, size_t count, size_t size);

/* For qsort: certain changes first, then the greater one, up or down; 0: neither.  */
int verdict_order(const struct verdict *one, double change, const struct verdict *other,
                  double other_change);

/* The chance as tables have it, with a star if it is certain.  To be freed.  */
char *verdict_text(const struct verdict *verdict);

#endif
