/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares exact counts with a baseline, for -gate.  */

#ifndef MLPROF_GATE_H
#define MLPROF_GATE_H

#include "mlprof/compare/side.h"

#include <stdio.h>

struct gate_result {
    size_t functions; /* that have counted anything, on either side */
    size_t beyond;    /* of them, with a count that differs by more than the threshold */
};

/* Prints a line for each count of a function that differs by more than THRESHOLD percent
   of what BASELINE says of it, or that is in one of the two alone; nothing if there is
   none. Both sides have one run; only measures of BASELINE are looked at.  */
struct gate_result gate_print(FILE *out, const struct side *baseline,
                              const struct side *now, double threshold, bool show_line);

#endif
