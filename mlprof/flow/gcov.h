/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes what gcov says of the functions of one unit by its rules (GCC: gcov.cc): how
   often each line was executed and each branch taken.  For the formats of coverage and
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
    /* The function has lines of its own, since other functions start on its first
       line.  */
    bool alone;
};

/* A line that has code.  */
struct gcov_line {
    uint32_t file;
    /* The function that the line belongs to; GCOV_NONE: the line belongs to the file.  */
    uint32_t function;
    uint32_t line;
    int64_t count;
    bool unexecuted_block; /* a block of it was never executed */
    size_t first_branch, branch_count;
    size_t first_block, block_count; /* the blocks that end on the line */
};

/* An edge out of a block that ends on a line and has several edges.  */
struct gcov_branch {
    uint32_t from, to; /* numbers of blocks in the function */
    int64_t count;
    bool is_throw, is_fallthrough;
};

struct gcov {
    struct intern files;             /* all files by name, those without lines, too */
    struct gcov_function *functions; /* by file, then where they start */
    size_t function_count;
    struct gcov_line *lines; /* by file, then function, then line */
    size_t line_count, line_capacity;
    struct gcov_branch *branches;
    size_t branch_count, branch_capacity;
    uint32_t *blocks; /* numbers of blocks in their function */
    size_t block_count, block_capacity;
};

enum gcov_scope {
    GCOV_OF_FILES,    /* lines belong to files, as in gcov */
    GCOV_OF_FUNCTIONS /* each function has lines of its own */
};

/* Fills GCOV, which gcov_free frees, from COUNT FLOWS of one compilation, which are
   elements of one array.  Artificial functions are left out.  */
void gcov_evaluate(struct gcov *gcov, const struct flowcounts_flow *const *flows,
                   size_t count, enum gcov_scope scope);

void gcov_free(struct gcov *gcov);

#endif
