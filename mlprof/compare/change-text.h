/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the values of changes for people.  All texts are to be freed.  */

#ifndef MLPROF_CHANGE_TEXT_H
#define MLPROF_CHANGE_TEXT_H

#include "mlprof/compare/change.h"

struct change_text_style {
    bool sampled, of_share;
    bool in_words; /* a blank stands before the unit */
    int decimals;
};

/* The style for CHANGES: with as many decimals as one sample makes a difference in, but
   not more than about four digits.  */
struct change_text_style change_text_style(const struct side *const sides[2],
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

/* By how many percent the value has grown, or that it is on one side alone.  */
char *change_text_growth(const struct change *change);

/* The same of what stands beside it (change.h).  */
char *change_text_beside(const struct change *change);

/* What the star and the columns of chance say, in lines: how many of the TESTED rows,
   NOUN being the word for one, have CERTAIN changes.  RUNS are those of both sides.  */
char *change_text_certainty(const char *noun, size_t certain, size_t tested, size_t runs);

/* What stands behind an amount of MEASURE in a side of the heap, with a blank in front:
   of what of the heap it is, and that it was estimated.  Otherwise nothing.  */
char *change_text_of_heap(const struct side *side, struct side_measure measure);

/* The result of a formula.  */
char *change_text_formula(double value);

#endif
