/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gates: writes exact counts as a baseline, a text that is kept with a program's source
   (baseline.c, for -gate-write), reads it, and compares counts with it (gate.c, for
   -gate), with a table of the differences.  */

#ifndef MLPROF_GATE_H
#define MLPROF_GATE_H

#include "mlprof/compare/match.h"
#include "mlprof/columns/table.h"
#include "mlprof/compare/runset.h"

#include <stdio.h>

/* A count that differs by more than the threshold, of a function or of points.  Lists of
   points of different lengths are compared by their sums.  */
struct gate_difference {
    size_t row; /* of the match */
    /* If there are no POINTS: the measure of the function.  */
    struct runset_measure measure;
    /* Baseline, now.  Both NULL: the count is the function's.  One NULL: that side has no
       such list.  */
    const struct linecounts_list *points[2];
    /* Index of the point in its lists; GATE_ALL: the sum.  */
    size_t nth;
    uint64_t baseline, now;
    double size;    /* of the change: its share of all that has the measure */
    size_t number;  /* as it was found */
    bool of_module; /* no function of its module has counted on the other side */
};

/* A shared object that has counted on one side alone.  */
struct gate_module {
    char *name;
    size_t side; /* that has it: 0: baseline, 1: now */
    size_t functions;
};

#define GATE_ALL SIZE_MAX

struct gate {
    const struct runset *sides[2]; /* baseline, now */
    struct match match;
    size_t functions; /* number of functions that have counted anything, on either side */
    size_t beyond;    /* number of functions with a count beyond the threshold */
    /* Number of points that were compared one by one, if both sides have points.  */
    size_t lines, outcomes;
    size_t sums; /* number of lists that were compared by their sums */
    struct gate_module *modules;
    size_t module_count, module_capacity;
    struct gate_difference *differences; /* the greatest change first */
    size_t difference_count, difference_capacity;
};

/* Fills GATE, which gate_free frees, with each count that differs by more than THRESHOLD
   percent of BASELINE's, or that only one of the two has.  Both sides have one run and
   must live as long as GATE.  Only measures of BASELINE are compared, and points if it
   has any.  Points of a function that has no calls on one side are left out, since its
   calls differ.  */
void gate_find(struct gate *gate, const struct runset *baseline, const struct runset *now,
               double threshold);

void gate_free(struct gate *gate);

/* How many rows are printed unless -top says so.  */
#define GATE_TABLE_TOP 10

/* The table, which table_free frees, with a row for each difference.  SHOW_LINE: names
   have file and line on a terminal.  */
struct table gate_table_make(const struct gate *gate, bool show_line);

/* Prints the first TOP rows on a terminal, 0: all, without those of modules that one side
   has alone, and below them how many more there are.  */
void gate_table_print(FILE *out, const struct gate *gate, bool show_line, size_t top);

/* The columns of that table.  */
extern const struct table_view gate_table;

/* The version of baselines (mlprof-compare(7)).  Version 2 has points, version 3 bytes
   and blocks of the heap, version 4 the names of shared objects, version 5 other
   measures, and one of bytes and blocks alone.  A baseline is written in the first
   version that can hold its counts.  */
#define BASELINE_VERSION 5

/* Writes the counts of the first run of SIDE, which has no other columns.  There is a
   line for each function that has counted anything, by name, and for each function with
   the name and file of one that has; below it the points of SIDE.  */
void baseline_write(FILE *out, const struct runset *side);

/* Fills SIDE, which runset_free frees in any case, with one run from the SIZE bytes of
   TEXT that were read from PATH.  False and FAULT if they are no baseline.  */
bool baseline_parse(struct runset *side, const char *path, const char *text, size_t size,
                    struct fault *fault);

#endif
