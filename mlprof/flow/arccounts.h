/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes how often the arcs of GCC's own profile were executed, from what a profile
   counted, for export/gcda.c.  */

#ifndef MLPROF_ARCCOUNTS_H
#define MLPROF_ARCCOUNTS_H

#include "mlprof/profile/profile.h"
#include "mlprof/program/program.h"
#include "mlprof/tables/arctables.h"

/* A function in the .gcda file of one object, in all modules that have it.  */
struct arccounts_function {
    const struct arctables_function *of;
    size_t object; /* number */
    /* By arc.  A run that was cut off, or left a function by longjmp, may have counted
       less than 0 of an arc: these are 0.  */
    uint64_t *counts;
    bool below; /* some were less than 0 */
};

struct arccounts {
    struct arctables *tables; /* by module */
    size_t table_count;
    struct arccounts_function *functions;
    size_t count, capacity;
    struct intern objects; /* the paths of .gcda files, without their suffix */
    size_t below;          /* functions with arcs of less than 0 */
    /* Functions that two modules tell of in different ways; the later ones are left
       out.  */
    size_t contradicted;
};

/* Fills COUNTS, which arccounts_free frees in any case, and which lives as long as
   PROGRAM.  False and FAULT if a table is damaged.  */
bool arccounts_solve(struct arccounts *counts, const struct profile *profile,
                     const struct program *program, struct fault *fault);

void arccounts_free(struct arccounts *counts);

#endif
