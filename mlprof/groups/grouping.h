/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up a profile by other things than functions, for the table: by copies, lines,
   expressions, files, modules, phases, threads or ranks.  Each is a row like a
   function's.  */

#ifndef MLPROF_GROUPING_H
#define MLPROF_GROUPING_H

#include "mlprof/names/names.h"
#include "mlprof/rows/rows.h"

/* What is added up, and for whom.  */
struct grouping {
    enum rows_key key;
    const struct profile *profile;
    const struct program *program;
    struct rows *rows; /* by function, with their names settled */
    const struct flowcounts *flows;
    const struct names_style *names;
};

/* Fills GROUPED, which rows_free frees, with the rows by GROUPING's key, of which there
   are no stacks and edges.  Their cur add up to the total, which is that of the functions
   unless how often lines were executed is all that is known.  A row's stack counts each
   sample once.  False and FAULT if what was measured does not tell such things apart.  */
bool grouping_evaluate(struct rows *grouped, const struct grouping *grouping,
                       struct fault *fault);

#endif
