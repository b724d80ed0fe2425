/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what changed between two sides of a comparison, and how certain each change is.

   Samples: one is taken in each interval of the clock, at random.  So the count of a
   function that comes and goes faster than the intervals is binomial, and the count of a
   function that stays longer varies less (rt/sample/engine.h); a binomial interval is
   never too narrow.  If a side has several runs, the variance between runs is computed,
   too (variation.h).  A change is as uncertain as the worse of the two says.

   Counts are exact.  Only several runs that differ make them uncertain.

   Counts of calls through pointers may be known but between bounds (arcs.h): such a
   change is certain where the bounds leave no other.

   Estimates of the heap have intervals of their own (runset.h), which make that of
   their difference; several runs that differ may widen it.  Two moments of one run have
   samples in common, so that what is told of their difference is on the safe side.

   Which changes are certain is decided for all rows together (variation.h).  Rows with so
   few samples that not even the greatest difference would be certain are not tested
   (Gilbert, Applied Statistics 54, 2005, p. 143).  */

#ifndef MLPROF_CHANGE_H
#define MLPROF_CHANGE_H

#include "mlprof/compare/match.h"
#include "mlprof/compare/variation.h"

struct change {
    size_t row;           /* of the match */
    bool exists[2];       /* before, after: the program has such a function or line */
    double before, after; /* the means of the runs, in the unit */
    double share[2];      /* before, after: the share of the total, 0 to 1 */
    /* Of rows of allocations, before and after: the mean blocks beside bytes, or bytes
       beside blocks.  */
    double beside[2];
    bool exact;      /* the value is exact and was not tested */
    bool guessed[2]; /* before, after: it is between bounds */
    struct verdict verdict;
};

struct changes {
    struct runset_measure measure;
    bool sampled;
    bool estimated; /* values of the heap, from a sample of its blocks, on some side */
    /* The unit is the share of the total; otherwise seconds, or counts.  */
    bool of_share;
    /* Certain changes first, then by size.  Rows with nothing on either side are left
       out.  */
    struct change *changes;
    size_t count;
    size_t tested, certain;
    size_t equal; /* number of rows whose exact counts are equal (change_is_none) */
    /* The total after by that before; BOUNDED: with an interval of 95 %, which several
       runs on both sides give.  */
    struct {
        double value;
        bool bounded;
        struct statistics_interval interval;
    } ratio;
    /* The change of the total: of the seconds on the clock, or of the sum of counts.  */
    struct change all;
};

/* Fills CHANGES, which changes_free frees.  Both sides must have a run and the
   measure.  */
void changes_find(struct changes *changes, const struct match *match,
                  const struct runset *const sides[2], struct runset_measure measure,
                  bool of_share);

void changes_free(struct changes *changes);

/* Whether the change is exact and both values are equal.  */
bool change_is_none(const struct change *change);

/* The measure beside MEASURE: bytes beside blocks, or blocks beside bytes.  */
struct runset_measure change_beside(struct runset_measure measure);

/* After less before, and the bounds of its interval of 95 %, in the unit.  */
double change_difference(const struct change *change);
double change_least(const struct change *change);
double change_most(const struct change *change);

/* change-text.c writes the values of changes for people.  All texts are to be freed.  */
struct change_text_style {
    bool sampled, of_share;
    bool in_words; /* a blank stands before the unit */
    int decimals;
};

/* The style for CHANGES: with as many decimals as one sample makes a difference in, but
   not more than about four digits.  */
struct change_text_style change_text_style(const struct runset *const sides[2],
                                           const struct changes *changes);

/* A value with its unit.  */
char *change_text_value(const struct change_text_style *style, double value);

/* Whether a value is shown as 0.  */
bool change_text_is_zero(const struct change_text_style *style, double value);

/* A difference with its sign and unit; without a sign if it is shown as 0.  */
char *change_text_difference(const struct change_text_style *style, double value);

/* Both ends of an interval, without the unit.  */
char *change_text_range(const struct change_text_style *style,
                        const struct statistics_interval *interval);

/* By how many percent the value has grown, or that only one side has it.  */
char *change_text_growth(const struct change *change);

/* The same of what stands beside it (change.h).  */
char *change_text_beside(const struct change *change);

/* The lines that explain the star and the columns of chance: how many of the TESTED rows,
   NOUN being the word for one, have CERTAIN changes.  RUNS are those of both sides.  */
char *change_text_certainty(const char *noun, size_t certain, size_t tested, size_t runs);

/* The words behind an amount of MEASURE in a side of the heap, with a blank in front:
   which measure of the heap it is, and that it was estimated.  Otherwise empty.  */
char *change_text_of_heap(const struct runset *side, struct runset_measure measure);

/* The result of a formula.  */
char *change_text_formula(double value);

#endif
