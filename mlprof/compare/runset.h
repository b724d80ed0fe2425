/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set of runs of one program, which is one side of a comparison. runset.c stores the
   measured values by run and function, runset-fill.c adds runs, and linecounts.c
   counts executions of lines and outcomes of branches.

   Each run is evaluated separately. Only the resulting values are stored, in a column
   for each measure. */

#ifndef MLPROF_RUNSET_H
#define MLPROF_RUNSET_H

#include "mlprof/base/buf.h"
#include "mlprof/report/report.h"

/* Counts of the lines of functions and of the outcomes of branches, for the gate
   (gate.h). A function has one list with the counts of its lines, and one
   list for each kind of outcome, for example true. A list is sorted by position.
   Positions change from commit to commit. So the nth count of a list is compared with
   the nth count of the other program's list, if both lists have the same length. A
   count that is read from a budget has no position: its line is 0. */
struct linecounts_point {
    uint64_t count;
    uint32_t file; /* number of the file name in FILES of struct linecounts */
    uint32_t line;
};

struct linecounts_list {
    uint32_t function; /* number of the function in the side */
    /* The name of the outcomes, as in the table of branches. NULL: the list is of
       lines. */
    char *outcome;
    struct linecounts_point *points;
    size_t count, capacity;
};

/* Initialize with zeros. */
struct linecounts {
    bool measured; /* counts of blocks were measured */
    struct intern files;
    /* Sorted by function; the list of lines precedes the lists of outcomes, which are
       sorted by name. */
    struct linecounts_list *lists;
    size_t count, capacity;
};

/* Fills the empty POINTS from the flow graphs of REPORT. NUMBERS has the number of
   the function in the side for each row of REPORT; entries of branches are not used. */
void linecounts_find(struct linecounts *points, const struct report *report,
                     const uint32_t *numbers);

/* Appends an empty list and takes ownership of OUTCOME, which may be NULL. */
struct linecounts_list *linecounts_add_list(struct linecounts *points, uint32_t function,
                                            char *outcome);

void linecounts_add_point(struct linecounts_list *list,
                          const struct linecounts_point *point);

/* linecounts_by_outcome compares the names of two lists of one function,
   linecounts_order the function and the name of two lists. Return a value less than,
   equal to, or greater than 0. */
int linecounts_by_outcome(const char *one, const char *other);
int linecounts_order(const struct linecounts_list *one,
                     const struct linecounts_list *other);

struct linecounts_span {
    const struct linecounts_list *lists;
    size_t count;
};
struct linecounts_span linecounts_of(const struct linecounts *points, uint32_t function);

/* Returns the sum of a list's counts, or UINT64_MAX if the sum overflows. */
uint64_t linecounts_sum(const struct linecounts_list *list);

void linecounts_free(struct linecounts *points);

/* The part of a measure that is compared: the function itself; all time or calls while
   the function is on the stack; the number of blocks instead of bytes; or, of calls, the
   executions of the function's lines, added up. */
enum runset_part { RUNSET_OWN, RUNSET_STACK, RUNSET_BLOCKS, RUNSET_LINES };

struct runset_measure {
    const struct measure *base; /* NULL: none */
    enum runset_part part;
};

/* A function. Some sides have lines, expressions, files, types, sites or paths instead
   (runset_add_places). To match sites and paths of different runs or builds, KEY has the
   function, the type and the called function, and PATH has the file and the distance of
   the call from the function's first line. */
struct runset_function {
    char *key;        /* symbol, or name if there is no symbol, or place */
    char *file;       /* as given to the compiler; NULL: unknown */
    const char *path; /* of FILE, owned by the identity; NULL: unknown */
    char *shown;      /* name in views */
    char *module;     /* the only shared object with the function; NULL: none */
    char *place;      /* line, expression, site: its place (text.h); otherwise NULL */
    char *within;     /* line or expression: name of its function, or NULL */
    uint32_t start;   /* first line of that function */
    struct rows_range range; /* range of an expression */
    uint32_t line, column;
};

struct runset_column {
    struct runset_measure measure;
    uint64_t *values; /* by function */
    uint64_t total;
    /* For estimates: the 95 % confidence interval of each function, of a function
       without samples (NONE), and of the total (ALL). An interval of blocks has no
       upper end if no block was sampled, because the number of missed blocks depends
       on their size. NULL: the values are exact or have no interval. */
    struct statistics_interval *intervals;
    struct statistics_interval none, all;
};

struct runset_run {
    unsigned kind;
    enum profile_clock clock;
    uint64_t rate;                     /* samples per second */
    uint64_t files;                    /* number of data files that were added */
    uint64_t samples;                  /* including lost samples */
    struct statistics_weights weights; /* of signals that count for several samples */
    const struct measure *main;        /* measure of its stacks */
    bool estimated;                    /* heap values are estimates from sampled blocks */
    double seconds;                    /* elapsed time, or samples as CPU time */
    uint64_t uncounted;                /* number of threads with incomplete counts */
    struct runset_column *columns;
    size_t column_count;
    /* Length of the columns. Functions with higher numbers have no value in this run. */
    size_t count;
};

/* Initialize with zeros. */
struct runset {
    enum rows_key key; /* kind of the functions */
    BUF_VECTOR(struct runset_function) functions;
    struct identity identity; /* numbers the functions */
    BUF_VECTOR(struct runset_run) runs;
    bool of_stacks; /* a function that is not listed may exist without samples */
    struct linecounts points; /* counts of the only run; filled by runset_add_points */
};

/* Adds a run. Branches are omitted, because they are not functions. */
void runset_add(struct runset *side, const struct report *report);

/* Adds a run, and the locks of REPORT, whose key is ROWS_LOCKS, as if they were functions
   `lock NAME'. */
void runset_add_with_locks(struct runset *side, const struct report *report);

/* Adds the line counts of REPORT, also as a column RUNSET_LINES. Call after runset_add
   with the same REPORT; the side must have only this run. */
void runset_add_points(struct runset *side, const struct report *report);

/* Sets the modules of the functions of REPORT. Call after runset_add with the same
   REPORT. */
void runset_add_modules(struct runset *side, const struct report *report);

/* Adds a run of REPORT. The rows in ROWS are files, lines, expressions, types,
   sites or paths. They are identified by their places. */
void runset_add_places(struct runset *side, const struct report *report,
                       const struct rows *rows);

/* runset_add_run adds a run of REPORT without columns; the caller has numbered its
   COUNT functions. runset_add_column adds a column of zeros to a run. */
struct runset_run *runset_add_run(struct runset *side, const struct report *report,
                                  size_t count);
struct runset_column *runset_add_column(struct runset_run *run,
                                        struct runset_measure measure);

/* Not a function, and not a part of the total. */
#define RUNSET_NONE UINT32_MAX

/* Adds the confidence intervals of the last run, if its values are estimates. MEASURED
   are amounts of the heap, of rows or nodes of stacks. NUMBERS has the function of each,
   or RUNSET_NONE; NULL: they are numbered like the functions. An entry with another
   number that is not a function counts only for the total. */
void runset_add_ranges(struct runset *side, const struct measured *measured,
                       const uint32_t *numbers);

/* Adds the confidence intervals of the last run, whose values are waits. ROWS has their
   variances, and its rows are functions; with PLACES, they are those of
   runset_add_places. */
void runset_add_wait_ranges(struct runset *side, const struct rows *rows, bool places);

/* Returns the numbers of the functions in the order in which functions of the same name
   and file are matched: by line, then by column, then by path. The caller frees the
   array. */
uint32_t *runset_by_line(const struct runset *side);

/* Returns the number of a function, or of a row of runset_add_places. Adds it if it
   is missing. */
uint32_t runset_put(struct runset *side, const struct identity_source *source,
                    const char *shown);
uint32_t runset_put_place(struct runset *side, const struct rows_row *row);

/* Returns the name of a lock without its address, which differs from run to run. The
   caller frees it. */
char *runset_lock_name(const char *name);

/* Adds all functions of the program, even if they have no value. */
void runset_add_functions(struct runset *side, const struct rows *catalog);

/* Returns the number of samples of the run in seconds. */
double runset_sampled_seconds(const struct runset_run *run);

/* Returns the column of a measure, or NULL if the run does not have it. */
const struct runset_column *runset_column(const struct runset_run *run,
                                          struct runset_measure measure);

static inline bool runset_is_same(struct runset_measure one, struct runset_measure other)
{
    return one.base == other.base && one.part == other.part;
}

uint64_t runset_total(const struct runset_run *run, struct runset_measure measure);
uint64_t runset_value(const struct runset_run *run, uint32_t function,
                      struct runset_measure measure);

/* Returns the function's share of the totals of all runs, 0 to 1. */
double runset_share(const struct runset *side, uint32_t function,
                    struct runset_measure measure);

/* Returns whether the values are estimates with confidence intervals. Those of waits are
   not used if there are several runs, because runs differ by less or more. */
bool runset_is_estimated(const struct runset *side);

/* Return the mean over all runs of MEASURE for an existing function or for all
   functions together, with its confidence interval. If every block was counted, the
   interval is the mean itself. */
struct statistics_estimated runset_estimate(const struct runset *side, uint32_t function,
                                            struct runset_measure measure);
struct statistics_estimated runset_estimate_all(const struct runset *side,
                                                struct runset_measure measure);

/* Returns whether all runs of the side have the measure. */
bool runset_has(const struct runset *side, struct runset_measure measure);

/* Returns whether the side has functions, not other rows. */
bool runset_is_of_functions(const struct runset *side);

/* Returns whether all existing functions are listed, so that a missing function does
   not exist. Returns false for lines, because lines that were not executed are not
   listed. */
bool runset_has_all(const struct runset *side);

/* runset_measure_name returns the name of a measure in options and data, for example
   `stack'. runset_noun returns the word for one function or row. runset_unit returns
   the name in headings, for example `calls on the stack'; the caller frees it. */
const char *runset_measure_name(struct runset_measure measure);
const char *runset_noun(const struct runset *side);
char *runset_unit(const struct runset *side, struct runset_measure measure);

void runset_free(struct runset *side);

#endif
