/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares exact counts with a file that is kept with a program's source: a baseline,
   which has all counts, or a budget, which has limits (budget.h).  gate.c holds the
   result, gate-baseline.c compares with a baseline, and budget-check.c with a budget.
   gate-table.c and gate-report.c show the result.  baseline.c writes and parses
   baselines.  Called by mlprof/commands.  */

#ifndef MLPROF_GATE_H
#define MLPROF_GATE_H

#include "mlprof/compare/match.h"
#include "mlprof/columns/table.h"
#include "mlprof/compare/runset.h"

#include <stdio.h>

/* Why a check of a budget fails although no number exceeds another one.  */
enum gate_reason {
    GATE_NO_REASON,
    GATE_NO_FUNCTION, /* no function matches the line */
    GATE_NO_VALUE,    /* the limit is relative, and no value was measured yet */
    GATE_NO_LINE      /* a matching function has no line of its own */
};

/* A count that was compared with the file.  The texts belong to the runsets and to the
   budget.  */
struct gate_check {
    /* The name if it is not FUNCTION's: of a budget's line.  NULL: FUNCTION's name.  */
    const char *name;
    const struct runset_function *function; /* NULL: not one function */
    bool gone;          /* only the baseline has FUNCTION: its line is unknown */
    unsigned long line; /* line of the budget; 0: a baseline */
    const char *word;   /* name of the measure in the budget; NULL: a baseline */
    size_t row;         /* row of the match, for a baseline */
    /* The measure of the count, if there are no POINTS.  */
    struct runset_measure measure;
    /* The points in the baseline and in the new run.  Both NULL: the count belongs to
       the whole function.  One NULL: that side does not have the list.  If two lists
       have different lengths, their sums are compared.  */
    const struct linecounts_list *points[2];
    /* Index of the point in its list; GATE_ALL: the sum of the list.  */
    size_t nth;
    uint64_t before, now, limit;
    bool measured; /* BEFORE is known */
    bool limited;  /* LIMIT is known */
    bool failed;
    enum gate_reason reason;
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
    const char *path; /* the file, as the user gave it */
    bool budget;      /* the file is a budget */
    double threshold; /* of a baseline, in percent */
    /* The compilers that made the program, as the file says, and the one of now.  They
       belong to the caller.  NULL: unknown.  */
    const char *compilers[2];
    /* Only for a baseline: the baseline and the counts of now.  */
    const struct runset *sides[2];
    struct match match;
    /* The number of functions with a count on either side, and of those with a count
       beyond the threshold.  For a budget: of limits, and of exceeded limits.  */
    size_t functions, beyond;
    /* Number of points that were compared one by one.  0 if a side has no points.  */
    size_t lines, outcomes;
    size_t sums; /* number of lists that were compared by their sums */
    struct gate_module *modules;
    size_t module_count, module_capacity;
    /* First the FAILED checks, the greatest change first, then the others in the order
       of discovery.  Points are here only if they differ.  */
    struct gate_check *checks;
    size_t check_count, check_capacity, failed;
};

/* Fills GATE from two sides, which have one run each and must live as long as GATE.  A
   check fails if only one side has the count, or if the counts differ by more than the
   threshold.  Only the measures of BASELINE are compared; points are compared if
   BASELINE has points.  If a function has no calls on one side, its points are
   omitted, because its calls are reported already.  The caller has set PATH, THRESHOLD
   and COMPILERS, and frees GATE with gate_free.  */
void gate_find(struct gate *gate, const struct runset *baseline,
               const struct runset *now);

void gate_free(struct gate *gate);

/* gate_add adds a check.  gate_sort puts the failed checks first and sorts them by
   their size, which the caller has set.  */
void gate_add(struct gate *gate, const struct gate_check *check);
void gate_sort(struct gate *gate);

/* Returns whether both compilers are known and different.  */
bool gate_has_new_compiler(const struct gate *gate);

/* Texts about a check, which the caller frees.  gate_name returns the name of the
   function, gate_unit that of the measure.  gate_excess and gate_change return the
   excess over the limit and the change in percent, or a word such as `new' instead.
   gate_sentence says everything but the name: `calls 1,010, limit 1,005 (+0.50 %),
   before 1,000 (+1.00 %)'.  */
char *gate_name(const struct gate_check *check);
char *gate_unit(const struct gate *gate, const struct gate_check *check);
char *gate_excess(const struct gate_check *check);
char *gate_change(const struct gate_check *check);
char *gate_sentence(const struct gate *gate, const struct gate_check *check);

/* Sets *FILE to the file of the point or the function of a check, as given to the
   compiler, and returns its line.  If it is unknown, sets NULL and returns 0.  */
uint32_t gate_position(const struct gate *gate, const struct gate_check *check,
                       const char **file);

/* Returns the points of a check, preferably from the current run.  Returns NULL if the
   count belongs to the whole function.  */
const struct linecounts_list *gate_points(const struct gate_check *check);

/* The maximum number of printed rows without -top.  */
#define GATE_TABLE_TOP 10

/* Returns the table, with a row for each failed check.  Free it with table_free.  */
struct table gate_table_make(const struct gate *gate);

/* Prints the first TOP rows on a terminal (0: all) and below them the number of
   further rows.  Rows of modules that only one side has are omitted.  */
void gate_table_print(FILE *out, const struct gate *gate, size_t top);

/* The columns of the table of differences.  */
extern const struct table_view gate_table;

/* Write all checks as JUnit XML, and the first TOP failed checks (0: all) as commands
   for GitHub's log.  Paths below HERE, the current folder, are relative to it.  */
void gate_write_junit(FILE *out, const struct gate *gate, const char *here);
void gate_print_github(FILE *out, const struct gate *gate, const char *here, size_t top);

/* The newest version of the baseline format (mlprof-compare(7)).  Version 2 adds
   points, version 3 bytes and blocks of the heap, version 4 names of shared objects,
   version 5 more measures, and bytes without blocks or blocks without bytes, version 6
   the compiler.  A baseline is written in the oldest version that can express it.  */
#define BASELINE_VERSION 6

/* Writes the counts of the first run of SIDE, and COMPILER unless it is NULL.  The run
   has no columns except counts.  Functions are sorted by name.  There is a line for
   each function with a count, and for each other function that has the same name and
   file as a function with a count.  The points of SIDE follow below the line of their
   function.  */
void baseline_write(FILE *out, const struct runset *side, const char *compiler);

/* Parses the SIZE bytes of TEXT, which were read from PATH, into SIDE, with one run,
   and *COMPILER, which the caller frees.  If they are not a baseline, returns false
   and sets FAULT.  Free SIDE with runset_free in any case.  */
bool baseline_parse(struct runset *side, char **compiler, const char *path,
                    const char *text, size_t size, struct fault *fault);

#endif
