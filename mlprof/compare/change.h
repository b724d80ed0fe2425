/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the changes between two sides of a comparison, and computes how certain each
   change is. Also formats changes for people (change-text.c).

   Samples: one sample is taken in each interval of the clock, at a random moment. The
   count of a function whose calls are shorter than the intervals is binomial. The
   count of a function with longer calls varies less (rt/sampler/engine.h). So a
   binomial confidence interval is never too narrow. If a side has several runs, the
   variance between runs is computed, too, and the greater uncertainty is used
   (variation.h). With one run on each side, seconds are tested as Poisson counts,
   which vary more if a function has most of the samples.

   Counts are exact. They are uncertain only if several runs differ.

   Estimates of the heap have confidence intervals (runset.h), from which the interval
   of their difference is computed. If runs differ, the interval becomes wider. Two
   moments of one run share samples, so the interval of their difference is wider than
   necessary.

   All rows are tested together (variation.h). A row is not tested if it has so few
   samples that even the greatest possible difference would not be certain (Gilbert,
   Applied Statistics 54, 2005, p. 143). */

#ifndef MLPROF_CHANGE_H
#define MLPROF_CHANGE_H

#include "mlprof/compare/match.h"
#include "mlprof/compare/variation.h"

struct change {
    size_t row;           /* row of the match */
    bool exists[2];       /* before, after: the program has the row's function or line */
    double before, after; /* means of the runs, in the unit of struct changes */
    double share[2];      /* before, after: share of the total, 0 to 1 */
    bool exact;           /* the value is exact, so no test was made */
    struct verdict verdict;
};

struct changes {
    struct runset_measure measure;
    bool sampled;
    bool seconds; /* of samples or waits; if false, values are counts */
    /* Values of a side have intervals: heap values are estimates from samples, and waits
       have a variance. */
    bool estimated;
    /* The unit of values is the share of the total. If false, it is seconds or
       counts. */
    bool of_share;
    /* Certain changes first, then by size. Rows without a value on both sides are
       omitted. */
    struct change *changes;
    size_t count;
    size_t tested, certain;
    size_t equal; /* rows with equal exact counts (change_is_none) */
    /* The change of the total: of the elapsed seconds, or of the sum of counts. */
    struct change all;
};

/* Fills CHANGES. Both sides must have at least one run, and both must have the
   measure. Free CHANGES with changes_free. */
void changes_find(struct changes *changes, const struct match *match,
                  const struct runset *const sides[2], struct runset_measure measure,
                  bool of_share);

void changes_free(struct changes *changes);

/* Returns the factor by which the times of most functions have changed, if it explains
   most of the certain changes: then perhaps the speed of the machine has changed.
   Returns 0 if there is no such factor. */
double changes_common_factor(const struct changes *changes);

/* Returns whether the change is exact and its values are equal. */
bool change_is_none(const struct change *change);

/* The value after minus the value before, and the bounds of its 95 % confidence
   interval, in the unit. */
double change_difference(const struct change *change);
double change_least(const struct change *change);
double change_most(const struct change *change);

/* How change-text.c formats values. The caller frees each text that a function below
   returns. */
struct change_text_style {
    bool seconds, of_share;
    bool in_words; /* put a blank before the unit */
    int decimals;
};

/* Returns the style for CHANGES. Values get enough decimals to show the difference of
   one sample, but at most about four significant digits. */
struct change_text_style change_text_style(const struct runset *const sides[2],
                                           const struct changes *changes);

/* Returns a value with its unit. */
char *change_text_value(const struct change_text_style *style, double value);

/* Returns whether a value is shown as 0. */
bool change_text_is_zero(const struct change_text_style *style, double value);

/* Returns a difference with its sign and unit. If the difference is displayed as 0,
   the sign is omitted. */
char *change_text_difference(const struct change_text_style *style, double value);

/* Returns both ends of an interval, without the unit. */
char *change_text_range(const struct change_text_style *style,
                        const struct statistics_interval *interval);

/* Returns the growth of the value in percent, or a word if only one side has the
   function. */
char *change_text_growth(const struct change *change);

/* Returns the lines that explain the star and the columns of chance: CERTAIN of the
   TESTED rows have certain changes. NOUN is the word for one row. RUNS is the number
   of runs of both sides. */
char *change_text_certainty(const char *noun, size_t certain, size_t tested, size_t runs);

/* Returns the words that follow an amount of a heap measure: the name of the measure,
   and `estimated' if the amount was estimated. The words begin with a blank or a
   comma. Returns "" for other measures. */
char *change_text_of_heap(const struct runset *side, struct runset_measure measure);

/* Returns the result of a formula as text. */
char *change_text_formula(double value);

#endif
