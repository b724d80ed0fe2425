/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up what gcov says of all compilations of a program by source file, for the formats
   that tell of each file once.  */

#ifndef MLPROF_COVERAGE_H
#define MLPROF_COVERAGE_H

#include "mlprof/base/intern.h"
#include "mlprof/flow/flowcounts.h"

struct coverage_function {
    uint32_t file;
    uint32_t start, end; /* lines */
    const char *symbol;  /* lives as long as the counts */
    uint64_t count;
};

struct coverage_line {
    uint32_t file, line;
    uint64_t count;
    size_t first_branch, branch_count;
};

struct coverage {
    struct intern files;                 /* their whole names */
    uint32_t *order;                     /* the files by name */
    struct coverage_function *functions; /* by file, start, symbol */
    size_t function_count, function_capacity;
    struct coverage_line *lines; /* by file, line */
    size_t line_count, line_capacity;
    uint64_t *branches; /* how often each was taken */
    size_t branch_count;
};

/* Fills COVERAGE, which coverage_free frees; lives as long as COUNTS.  A line that
   several functions or compilations have was executed as often as in all of them
   together, and has as many branches as in the one where it has most: the first of each
   is one, and so on.  */
void coverage_find(struct coverage *coverage, const struct flowcounts *counts);

void coverage_free(struct coverage *coverage);

/* Those of one file.  */
struct coverage_span {
    size_t first, end;
};
struct coverage_span coverage_functions(const struct coverage *coverage, uint32_t file);
struct coverage_span coverage_lines(const struct coverage *coverage, uint32_t file);

/* How many there are, and how many of them were executed or taken.  */
struct coverage_sum {
    size_t lines, lines_hit, branches, branches_hit;
};

/* Of the lines SPAN.  */
struct coverage_sum coverage_sum(const struct coverage *coverage,
                                 struct coverage_span span);

#endif
