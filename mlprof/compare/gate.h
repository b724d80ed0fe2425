/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares exact counts with a baseline, for -gate.  */

#ifndef MLPROF_GATE_H
#define MLPROF_GATE_H

#include "mlprof/compare/match.h"

#include <stdio.h>

/* A count that differs by more than the threshold.  */
struct gate_difference {
    size_t row; /* of the match */
    enum side_measure measure;
    uint64_t baseline, now;
};

struct gate {
    const struct side *sides[2]; /* the baseline, now */
    struct match match;
    size_t functions; /* that have counted anything, on either side */
    size_t beyond;    /* of them, with a count that differs by more than the threshold */
    struct gate_difference *differences;
    size_t difference_count, difference_capacity;
};

/* Fills GATE, which gate_free frees, with each count of a function that differs by more
   than THRESHOLD percent of what BASELINE says of it, or that is in one of the two alone.
   Both sides, which live as long, have one run; only measures of BASELINE are looked at.
 */
void gate_find(struct gate *gate, const struct side *baseline, const struct side *now,
               double threshold);

/* Prints a line for each difference; nothing if there is none.  */
void gate_print(FILE *out, const struct gate *gate, bool show_line);

void gate_free(struct gate *gate);

#endif
