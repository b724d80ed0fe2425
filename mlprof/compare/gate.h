/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares exact counts with a baseline, for -gate.  */

#ifndef MLPROF_GATE_H
#define MLPROF_GATE_H

#include "mlprof/compare/match.h"

/* A count that differs by more than the threshold: of a function, or of points.  Lists of
   different lengths cannot be compared point by point: their sums are.  */
struct gate_difference {
    size_t row;                          /* of the match */
    enum side_measure measure;           /* of the function; not if there are points */
    const struct points_list *points[2]; /* of the baseline, now; both NULL: of the
                                            function, one NULL: that side has none */
    size_t nth;                          /* of them; GATE_ALL: their sum */
    uint64_t baseline, now;
};

#define GATE_ALL SIZE_MAX

struct gate {
    const struct side *sides[2]; /* the baseline, now */
    struct match match;
    size_t functions; /* that have counted anything, on either side */
    size_t beyond;    /* of them, with a count that differs by more than the threshold */
    size_t lines, outcomes; /* points that were compared each with its own, if both sides
                               have them */
    size_t sums;            /* lists that were compared by their sums */
    struct gate_difference *differences;
    size_t difference_count, difference_capacity;
};

/* Fills GATE, which gate_free frees, with each count of a function that differs by more
   than THRESHOLD percent of what BASELINE says of it, or that is in one of the two alone.
   Both sides, which live as long, have one run; only measures of BASELINE are looked at,
   and points if it has any.  Those of a function that has no calls on one side are left
   out: its calls tell.  */
void gate_find(struct gate *gate, const struct side *baseline, const struct side *now,
               double threshold);

void gate_free(struct gate *gate);

/* The points that a difference is of, those that were counted now if there are; NULL: it
   is of the function.  */
const struct points_list *gate_points(const struct gate_difference *difference);

#endif
