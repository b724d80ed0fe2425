/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds how often the lines of functions were executed and the outcomes of their branches
   occurred, for baselines and for the gate (baseline.h, gate.h).  The points of a
   function are in lists: one of its lines, and one for each name of outcomes, for example
   true.  A list is sorted by position.  Positions change from commit to commit, so the
   nth point of a list is compared with the nth point of the other program's list, if both
   lists have the same length.  */

#ifndef MLPROF_POINTS_H
#define MLPROF_POINTS_H

#include "mlprof/evaluate/evaluate.h"

/* A point read from a baseline has no position: its line is 0.  */
struct points_point {
    uint64_t count;
    uint32_t file; /* number of the text in the points' files */
    uint32_t line;
};

struct points_list {
    uint32_t function; /* number of the function in the side */
    /* The name of the outcomes, as the table of branches has it; NULL: lines.  */
    char *outcome;
    struct points_point *points;
    size_t count, capacity;
};

/* Starts as all zero.  */
struct points {
    bool measured; /* counts of blocks were measured */
    struct intern files;
    /* By function; the list of lines before the lists of outcomes by name.  */
    struct points_list *lists;
    size_t count, capacity;
};

/* Fills POINTS, which starts empty, from the flow graphs of RESULT.  NUMBERS gives, by
   row of RESULT without branches, the number of the function in the side.  */
void points_find(struct points *points, const struct evaluate_result *result,
                 const uint32_t *numbers);

/* Adds an empty list behind all others; it takes over OUTCOME, which may be NULL.  */
struct points_list *points_add_list(struct points *points, uint32_t function,
                                    char *outcome);

void points_add_point(struct points_list *list, const struct points_point *point);

/* Compares two lists of one function: less than, equal to, or greater than 0.  */
int points_by_outcome(const char *one, const char *other);
int points_order(const struct points_list *one, const struct points_list *other);

/* The lists of one function.  */
struct points_span {
    const struct points_list *lists;
    size_t count;
};
struct points_span points_of(const struct points *points, uint32_t function);

/* The sum of a list's counts, or the greatest number if the sum is too large.  */
uint64_t points_sum(const struct points_list *list);

void points_free(struct points *points);

#endif
