/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up how often control went from one line of a function to another, from the counts
   of its blocks, for the formats that have jumps.  */

#ifndef MLPROF_JUMPS_H
#define MLPROF_JUMPS_H

#include "mlprof/flow/flowcounts.h"
#include "mlprof/rows/rows.h"

/* Both lines are of the function's own file.  */
struct jumps_jump {
    uint32_t row, line, target;
    bool conditional;
    uint64_t followed, executed; /* EXECUTED is 0 unless the jump is conditional */
};

struct jumps {
    struct jumps_jump *jumps; /* by row, line, target, conditional ones last */
    size_t count, capacity;
};

/* Fills JUMPS, which jumps_free frees.  A jump is an outcome of a condition or switch
   that leads to another line, or any other edge that leads to an earlier line.  The flows
   of COUNTS have their rows.  */
void jumps_find(struct jumps *jumps, const struct rows *rows,
                const struct flowcounts *counts);

void jumps_free(struct jumps *jumps);

#endif
