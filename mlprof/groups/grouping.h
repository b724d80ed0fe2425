/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up a profile by keys other than functions: by copies, lines, expressions,
   files, modules, phases, threads, processes, ranks, loops or MPI calls, or allocated
   memory by types, sites and paths. Each value of the key becomes a row similar to the
   row of a function.
   Used by report/grouped.c. */

#ifndef MLPROF_GROUPING_H
#define MLPROF_GROUPING_H

#include "mlprof/names/names.h"
#include "mlprof/rows/rows.h"
#include "mlprof/rows/verdicts.h"

/* Name of the row of blocks whose type is unknown. Blocks allocated without a
   profiled function on the stack belong to the row STACKS_UNPROFILED. */
#define GROUPING_UNKNOWN_TYPE "<unknown type>"

/* The data to add up, and the key. */
struct grouping {
    enum rows_key key;
    const struct profile *profile;
    const struct program *program;
    struct rows *rows; /* rows of functions, with their final names */
    const struct flowcounts *flows;
    const struct verdicts *verdicts; /* of the loops; may be empty */
    const struct names_style *names;
    const struct patterns *libraries; /* source files of libraries, for paths */
    const struct patterns *hide;      /* functions without calls, for locks */
};

/* Fills GROUPED with rows by the key of GROUPING. The rows have no stacks and no
   edges. The caller frees GROUPED with rows_free. The sum of the self amounts is
   the total of the functions, unless only executions of lines were counted. The total
   amount of a row counts each sample once. Returns false and sets FAULT if the data do
   not distinguish this key. */
bool grouping_evaluate(struct rows *grouped, const struct grouping *grouping,
                       struct fault *fault);

#endif
