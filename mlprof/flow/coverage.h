/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Combines the gcov results of all compilations of a program by source file. Used by
   the export formats that list each file once (LCOV, Cobertura). */

#ifndef MLPROF_COVERAGE_H
#define MLPROF_COVERAGE_H

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
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
    struct intern files; /* whole paths */
    uint32_t *order;     /* numbers of the files, sorted by name */
    BUF_VECTOR(struct coverage_function) functions; /* sorted by file, start and symbol */
    BUF_VECTOR(struct coverage_line) lines;         /* sorted by file and line */
    uint64_t *branches;                             /* how often each branch was taken */
    size_t branch_count;
};

/* Fills COVERAGE, which is valid as long as COUNTS. The caller frees it with
   coverage_free. If several functions or compilations have the same line, the
   executions of the line are added up. The line has as many branches as the function
   or compilation with the most branches on it: the first branches are added up, then
   the second branches, and so on. */
void coverage_find(struct coverage *coverage, const struct flowcounts *counts);

void coverage_free(struct coverage *coverage);

/* The range of an array's elements that belong to one file. */
struct coverage_span {
    size_t first, end;
};
struct coverage_span coverage_functions(const struct coverage *coverage, uint32_t file);
struct coverage_span coverage_lines(const struct coverage *coverage, uint32_t file);

/* Numbers of lines, functions or branches, and how many of them were executed or
   taken. */
struct coverage_sum {
    size_t lines, lines_hit, branches, branches_hit;
};

/* Returns the sums over the lines in SPAN. */
struct coverage_sum coverage_sum(const struct coverage *coverage,
                                 struct coverage_span span);

#endif
