/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes what gcov says of the functions of one unit: how often each line was executed
   and each branch taken, by its rules (GCC: gcov.cc).  For the formats of coverage and
   the listing.  */

#ifndef MLPROF_GCOV_H
#define MLPROF_GCOV_H

#include "mlprof/base/intern.h"
#include "mlprof/flow/flowcounts.h"

#define GCOV_NONE UINT32_MAX

struct gcov_function {
    const struct flowcounts_flow *flow;
    uint32_t file;
    uint32_t blocks_executed; /* as gcov counts them */
    bool alone;               /* it has lines of its own: others start where it starts */
};

/* A line that has code.  */
struct gcov_line {
    uint32_t file;
    uint32_t function; /* whose own it is, GCOV_NONE: of the file */
    uint32_t line;
    int64_t count;
    bool unexecuted_block; /* a block of it was never executed */
    size_t first_branch, branch_count;
    size_t first_block, block_count; /* blocks that end on it */
};

/* A way out of a block that ends on a line and has several.  */
struct gcov_branch {
    uint32_t from, to; /* blocks of its function */
    int64_t count;
    bool is_throw, is_fallthrough;
};

struct gcov {
    struct intern files;             /* by their names, with line tables or without */
    struct gcov_function *functions; /* by file, then where they start */
    size_t function_count;
    struct gcov_line *lines; /* by file, then function, then line */
    size_t line_count, line_capacity;
    struct gcov_branch *branches;
    size_t branch_count, branch_capacity;
    uint32_t *blocks; /* by number in their function */
    size_t block_count, block_capacity;
};

enum gcov_scope {
    GCOV_OF_FILES,    /* lines are of files, as gcov has them */
    GCOV_OF_FUNCTIONS /* each function has lines of its own */
};

/* Fills GCOV, which gcov_free frees, from COUNT FLOWS of one compilation, elements of one
   array.  Functions that
   only the compiler knows are left out.  */
void gcov_evaluate(struct gcov *gcov, const struct flowcounts_flow *const *flows,
                   size_t count, enum gcov_scope scope);

void gcov_free(struct gcov *gcov);

#endif
