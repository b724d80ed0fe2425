/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up by source file what gcov says of all compilations of a program, for the formats
   that list each file once.  */

#ifndef MLPROF_COVERAGE_H
#define MLPROF_COVERAGE_H

#include "mlprof/base/index.h"
#include "mlprof/flow/flowcounts.h"

/* The flows of a compilation, of one source file in one folder.  Texts live as long as
   the counts.  */
struct compilations_one {
    const char *directory, *input;
    const struct flowcounts_flow **flows;
    size_t count, capacity;
};

struct compilations {
    struct compilations_one *list; /* in the order of their first flows */
    size_t count, capacity;
    struct intern texts;
    struct index index; /* key: module, directory, input */
};

/* Fills COMPILATIONS, which compilations_free frees.  */
void compilations_find(struct compilations *compilations,
                       const struct flowcounts *counts);

void compilations_free(struct compilations *compilations);

/* The folder of the first compilation; "" if there is none.  */
const char *compilations_here(const struct compilations *compilations);

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
    struct intern files;                 /* whole paths */
    uint32_t *order;                     /* files sorted by name */
    struct coverage_function *functions; /* by file, start, symbol */
    size_t function_count, function_capacity;
    struct coverage_line *lines; /* by file, line */
    size_t line_count, line_capacity;
    uint64_t *branches; /* how often each branch was taken */
    size_t branch_count;
};

/* Fills COVERAGE, which coverage_free frees, and which lives as long as COUNTS.  The
   executions of a line that several functions or compilations have are summed.  It has as
   many branches as where it has most: the first branches are summed, the second, and so
   on.  */
void coverage_find(struct coverage *coverage, const struct flowcounts *counts);

void coverage_free(struct coverage *coverage);

/* The part of an array that belongs to one file.  */
struct coverage_span {
    size_t first, end;
};
struct coverage_span coverage_functions(const struct coverage *coverage, uint32_t file);
struct coverage_span coverage_lines(const struct coverage *coverage, uint32_t file);

/* The number of lines, functions or branches, and of those that were executed or
   taken.  */
struct coverage_sum {
    size_t lines, lines_hit, branches, branches_hit;
};

/* The sum of the lines in SPAN.  */
struct coverage_sum coverage_sum(const struct coverage *coverage,
                                 struct coverage_span span);

#endif
