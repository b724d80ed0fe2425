/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares exact counts with a baseline, a text file that is kept with a program's
   source. baseline.c writes baselines (-gate-write) and parses them. gate.c compares
   counts with them (-gate) and prints a table of the differences.  Called by
   mlprof/commands.  */

#ifndef MLPROF_GATE_H
#define MLPROF_GATE_H

#include "mlprof/compare/match.h"
#include "mlprof/columns/table.h"
#include "mlprof/compare/runset.h"

#include <stdio.h>

/* A count that differs by more than the threshold: the count of a function, or of
   points.  If two lists of points have different lengths, their sums are compared.  */
struct gate_difference {
    size_t row; /* row of the match */
    /* The measure of the function's count, if there are no POINTS.  */
    struct runset_measure measure;
    /* The points in the baseline and in the new run.  Both NULL: the count belongs to
       the whole function.  One NULL: that side does not have the list.  */
    const struct linecounts_list *points[2];
    /* Index of the point in its list; GATE_ALL: the sum of the list.  */
    size_t nth;
    uint64_t baseline, now;
    double size;    /* of the change, as a share of the measure's total */
    size_t number;  /* index in the order of discovery */
    bool of_module; /* in the function's module, the other side counts no function */
};

/* A shared object with counts on only one side.  */
struct gate_module {
    char *name;
    size_t side; /* the side with counts: 0: baseline, 1: now */
    size_t functions;
};

#define GATE_ALL SIZE_MAX

struct gate {
    const struct runset *sides[2]; /* baseline, now */
    struct match match;
    size_t functions; /* number of functions with a count on either side */
    size_t beyond;    /* number of functions with a count beyond the threshold */
    /* Number of points that were compared one by one.  0 if a side has no points.  */
    size_t lines, outcomes;
    size_t sums; /* number of lists that were compared by their sums */
    struct gate_module *modules;
    size_t module_count, module_capacity;
    struct gate_difference *differences; /* the greatest change first */
    size_t difference_count, difference_capacity;
};

/* Fills GATE with two kinds of counts: counts that only one side has, and counts that
   differ by more than THRESHOLD percent of the count in BASELINE.  Both sides have one
   run and must live as long as GATE.  Only the measures of BASELINE are compared;
   points are compared if BASELINE has points.  If a function has no calls on one side,
   its points are omitted, because its calls are reported already.  Free GATE with
   gate_free.  */
void gate_find(struct gate *gate, const struct runset *baseline, const struct runset *now,
               double threshold);

void gate_free(struct gate *gate);

/* The maximum number of printed rows without -top.  */
#define GATE_TABLE_TOP 10

/* Returns the table, with a row for each difference.  SHOW_LINE: on a terminal, names
   have file and line.  Free it with table_free.  */
struct table gate_table_make(const struct gate *gate, bool show_line);

/* Prints the first TOP rows on a terminal (0: all) and below them the number of
   further rows.  Rows of modules that only one side has are omitted.  */
void gate_table_print(FILE *out, const struct gate *gate, bool show_line, size_t top);

/* The columns of the table of differences.  */
extern const struct table_view gate_table;

/* The newest version of the baseline format (mlprof-compare(7)).  Version 2 adds
   points, version 3 bytes and blocks of the heap, version 4 names of shared objects,
   version 5 more measures, and bytes without blocks or blocks without bytes.  A
   baseline is written in the oldest version that can express its counts.  */
#define BASELINE_VERSION 5

/* Writes the counts of the first run of SIDE.  The run has no columns except counts.
   Functions are sorted by name.  There is a line for each function with a count, and
   for each other function that has the same name and file as a function with a count.
   The points of SIDE follow below the line of their function.  */
void baseline_write(FILE *out, const struct runset *side);

/* Parses the SIZE bytes of TEXT, which were read from PATH, into SIDE, with one run.
   If they are not a baseline, returns false and sets FAULT.  Free SIDE with
   runset_free in any case.  */
bool baseline_parse(struct runset *side, const char *path, const char *text, size_t size,
                    struct fault *fault);

#endif
