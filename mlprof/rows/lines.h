/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the samples of functions by line, for the listing.  */

#ifndef MLPROF_LINES_H
#define MLPROF_LINES_H

#include "mlprof/rows/rows.h"

/* A line of the file in which a function starts.  */
struct lines_line {
    uint32_t row, line; /* line 0: all that is in other files or unknown */
    uint64_t cur;       /* samples in this line */
    uint64_t stack;     /* and in what it called; each sample once */
    uint32_t module;    /* one that has such code */
    bool counted;       /* its executions were counted */
    uint64_t count;
};

struct lines {
    struct lines_line *lines; /* by row, then line */
    size_t count, capacity;
};

/* Fills LINES, which lines_free frees, for the rows of which WANTED tells.  */
void lines_count(struct lines *lines, const struct rows *rows, const bool *wanted);

/* Brings LINES into their order again.  */
void lines_sort(struct lines *lines);

void lines_free(struct lines *lines);

/* For each row that is WANTED the last line of its file in which the tables have
   something of it, 0 if there is none; ENDS is by row.  */
void lines_ends(const struct program *program, const struct rows *rows,
                const bool *wanted, uint32_t *ends);

#endif
