/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up a profile by other things than functions, for the table: by copies, lines,
   expressions, files, modules, phases, threads, ranks, loops or calls of MPI, or the heap
   by types of blocks.  Each becomes a row like a function's.  */

#ifndef MLPROF_GROUPING_H
#define MLPROF_GROUPING_H

#include "mlprof/names/names.h"
#include "mlprof/rows/rows.h"

/* The name of the row of blocks of which no type is known.  Blocks that were allocated
   with no profiled function on the stack have the row STACKS_UNPROFILED.  */
#define GROUPING_UNKNOWN_TYPE "<unknown type>"

/* What is added up, and by which key.  */
struct grouping {
    enum rows_key key;
    const struct profile *profile;
    const struct program *program;
    struct rows *rows; /* by function, with their names settled */
    const struct flowcounts *flows;
    const struct names_style *names;
};

/* Fills GROUPED, which rows_free frees, with rows by GROUPING's key, which have neither
   stacks nor edges.  The sum of their cur is the total of the functions, unless
   executions of lines are all that was counted.  STACK of a row counts each sample once.
   False and FAULT if the data do not tell such things apart.  */
bool grouping_evaluate(struct rows *grouped, const struct grouping *grouping,
                       struct fault *fault);

#endif
