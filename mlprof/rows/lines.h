/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the samples and executions of functions by line, for the listing.  */

#ifndef MLPROF_LINES_H
#define MLPROF_LINES_H

#include "mlprof/rows/rows.h"

/* A line of the file in which a function starts.  */
struct lines_line {
    uint32_t row, line; /* line 0: all code in other files or at unknown lines */
    uint64_t cur;       /* samples in this line */
    /* Samples in this line and in what the line called; each sample counts once.  */
    uint64_t stack;
    uint32_t module; /* a module that has code of this line */
    bool counted;    /* the executions of the line were counted */
    uint64_t count;
};

struct lines {
    struct lines_line *lines; /* by row, then line */
    size_t count, capacity;
};

/* Fills LINES, which lines_free frees, for the rows that are WANTED.  */
void lines_count(struct lines *lines, const struct rows *rows, const bool *wanted);

/* Adds how often the lines of functions that are WANTED were executed, and makes the
   entries that are missing.  If a function has several flows their counts are summed.  */
void lines_add_counts(struct lines *lines, const struct flowcounts *counts,
                      const struct rows *rows, const bool *wanted);

void lines_free(struct lines *lines);

/* Sets ENDS, by row: for each row that is WANTED the last line of the function's own file
   at which the tables have a position of the function; otherwise 0.  */
void lines_ends(const struct program *program, const struct rows *rows,
                const bool *wanted, uint32_t *ends);

#endif
