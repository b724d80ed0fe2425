/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds how often the lines of functions were executed and the outcomes of their branches
   came, for baselines and for the gate that compares with them (baseline.h, gate.h).  The
   points of a function stand in lists: its lines, and the outcomes of each name, true
   say. Lines move from commit to commit: a list has its points in the order of their
   positions, and the nth of one program is the nth of another if both lists are as long.
 */

#ifndef MLPROF_POINTS_H
#define MLPROF_POINTS_H

#include "mlprof/evaluate/evaluate.h"

/* In a list that was read of a baseline the position is not known: the line is 0.  */
struct points_point {
    uint64_t count;
    uint32_t file; /* number of its text in the points' files */
    uint32_t line;
};

struct points_list {
    uint32_t function; /* its number in the side */
    char *outcome;     /* its name in those of the table's branches; NULL: lines */
    struct points_point *points;
    size_t count, capacity;
};

/* Starts as all zero.  */
struct points {
    bool measured; /* blocks were counted */
    struct intern files;
    struct points_list *lists; /* by function; its lines, then its outcomes by name */
    size_t count, capacity;
};

/* Fills POINTS, which were empty, from the flow graphs of RESULT.  NUMBERS tells for each
   row of its functions, branches left out, the number in the side.  */
void points_find(struct points *points, const struct evaluate_result *result,
                 const uint32_t *numbers);

/* Adds an empty list behind all others; OUTCOME, which may be NULL, becomes its own.  */
struct points_list *points_add_list(struct points *points, uint32_t function,
                                    char *outcome);

void points_add_point(struct points_list *list, const struct points_point *point);

/* The order of two lists, and of what they are of in one function: less than, equal to,
   or greater than 0.  */
int points_by_outcome(const char *one, const char *other);
int points_order(const struct points_list *one, const struct points_list *other);

/* The lists of a function.  */
struct points_span {
    const struct points_list *lists;
    size_t count;
};
struct points_span points_of(const struct points *points, uint32_t function);

/* How often all the points of a list were executed, or the greatest number there is.  */
uint64_t points_sum(const struct points_list *list);

void points_free(struct points *points);

#endif
