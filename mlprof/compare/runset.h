/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set of runs of one program, which is one side of a comparison: what was measured run
   by run and function by function (runset.c; runset-fill.c adds the runs), and how often
   lines were executed and outcomes of branches occurred (linecounts.c).  Each run is
   evaluated alone, and only its numbers are kept: a column for each measure.  */

#ifndef MLPROF_RUNSET_H
#define MLPROF_RUNSET_H

#include "mlprof/evaluate/evaluate.h"
#include "mlprof/view/allocview.h"

/* Counts of the lines of functions and of the outcomes of branches, for baselines and for
   the gate (gate.h).  The counts of a function are in lists: one of its lines, and one
   for each name of outcomes, for example true.  A list is sorted by position.  Positions
   change from commit to commit, so the nth count of a list is compared with the nth count
   of the other program's list, if both lists have the same length.

   A count that is read from a baseline has no position: its line is 0.  */
struct linecounts_point {
    uint64_t count;
    uint32_t file; /* number of the text in the points' files */
    uint32_t line;
};

struct linecounts_list {
    uint32_t function; /* number of the function in the side */
    /* The name of the outcomes, as the table of branches has it; NULL: lines.  */
    char *outcome;
    struct linecounts_point *points;
    size_t count, capacity;
};

/* Starts as all zero.  */
struct linecounts {
    bool measured; /* counts of blocks were measured */
    struct intern files;
    /* By function; the list of lines before the lists of outcomes by name.  */
    struct linecounts_list *lists;
    size_t count, capacity;
};

/* Fills POINTS, which starts empty, from the flow graphs of RESULT.  NUMBERS gives, by
   row of RESULT without branches, the number of the function in the side.  */
void linecounts_find(struct linecounts *points, const struct evaluate_result *result,
                     const uint32_t *numbers);

/* Adds an empty list behind all others; it takes over OUTCOME, which may be NULL.  */
struct linecounts_list *linecounts_add_list(struct linecounts *points, uint32_t function,
                                            char *outcome);

void linecounts_add_point(struct linecounts_list *list,
                          const struct linecounts_point *point);

/* Compares two lists of one function: less than, equal to, or greater than 0.  */
int linecounts_by_outcome(const char *one, const char *other);
int linecounts_order(const struct linecounts_list *one,
                     const struct linecounts_list *other);

/* The lists of one function.  */
struct linecounts_span {
    const struct linecounts_list *lists;
    size_t count;
};
struct linecounts_span linecounts_of(const struct linecounts *points, uint32_t function);

/* The sum of a list's counts, or the greatest number if the sum is too large.  */
uint64_t linecounts_sum(const struct linecounts_list *list);

void linecounts_free(struct linecounts *points);

/* The part of a measure that is compared: of the function itself; while it is on the
   stack; and the number of blocks of its bytes.  */
enum runset_part { RUNSET_OWN, RUNSET_STACK, RUNSET_BLOCKS };

struct runset_measure {
    const struct measure *of; /* NULL: none */
    enum runset_part part;
};

/* Of a function that is a row of allocations.  The function's KEY has all but the
   position of the call.  */
struct runset_allocation {
    char *position; /* of the call, for people; "": there is none */
    char *type, *allocator;
    /* The position of the call in its function, which changes elsewhere do not move.  */
    char *within;
};

/* A function; or a line, an expression, a file or a type of runset_add_places; or a row
   of allocations.  */
struct runset_function {
    char *key;        /* the symbol; without a symbol, the name; the place */
    char *file;       /* as the compiler was given it; NULL: unknown */
    char *directory;  /* in which the file was compiled; NULL: unknown */
    const char *path; /* both together; lives as long as the identity; NULL: unknown */
    char *shown;      /* its name in views */
    char *module;     /* the name of the only shared object that has it; NULL: none */
    char *place;      /* of a line or expression: with parts (text.h); otherwise NULL */
    char *within;     /* of a line or expression: the name of its function, or NULL */
    uint32_t start;   /* and the line where that begins */
    struct rows_range range; /* of an expression */
    uint32_t line, column;
    struct runset_allocation *allocation; /* NULL: it is none */
};

/* The values of a measure in a run, by function.  */
struct runset_column {
    struct runset_measure measure;
    uint64_t *values; /* by function */
    uint64_t total;
    /* Of estimates: by function the interval of 95 %; that of a function of which nothing
       was sampled; and that of all together.  That of blocks has no upper end where none
       was sampled: how many were missed depends on their size.  Of counts: certain
       bounds, without the other two.  NULL: values are what they are.  */
    struct statistics_interval *intervals;
    struct statistics_interval none, all;
};

struct runset_run {
    unsigned kind;
    enum profile_clock clock;
    uint64_t rate;              /* samples per second */
    uint64_t files;             /* number of data files that were added up */
    uint64_t samples;           /* with the lost samples */
    const struct measure *main; /* of its stacks */
    bool estimated;     /* values of the heap are estimates, since blocks were sampled */
    double seconds;     /* on the clock; CPU time is the kernel's */
    uint64_t uncounted; /* threads whose counts are not all there */
    bool bounded;       /* INTERVALS are bounds of counts */
    struct runset_column *columns;
    size_t column_count;
    /* Of the functions in columns; at the end those without a value may be missing.  */
    size_t count;
};

/* Starts as all zero.  */
struct runset {
    enum rows_key key;        /* what the functions are */
    enum allocview_by allocs; /* the same, if they are rows of allocations */
    struct runset_function *functions;
    size_t function_count, function_capacity;
    struct identity identity; /* of the functions */
    struct runset_run *runs;
    size_t run_count, run_capacity;
    bool of_stacks; /* a function that is missing was not sampled, but may exist */
    struct linecounts
        points; /* of the only run; empty unless runset_add_points was called */
};

/* Adds a run.  Branches are left out, since they are no functions.  */
void runset_add(struct runset *side, const struct evaluate_result *result);

/* Adds the points of the run that runset_add has just added from RESULT, which is the
   only run.  */
void runset_add_points(struct runset *side, const struct evaluate_result *result);

/* Sets the modules of the functions of the run that runset_add has just added from
   RESULT.  */
void runset_add_modules(struct runset *side, const struct evaluate_result *result);

/* Adds a run of RESULT with its ROWS that are no functions: lines or expressions, which
   are told apart by their places, files, or types.  */
void runset_add_places(struct runset *side, const struct evaluate_result *result,
                       const struct rows *rows);

/* Adds a run of RESULT without columns, whose COUNT functions the caller has numbered;
   and a column with nothing to it.  */
struct runset_run *runset_add_run(struct runset *side,
                                  const struct evaluate_result *result, size_t count);
struct runset_column *runset_add_column(struct runset_run *run,
                                        struct runset_measure measure);

/* Adds the intervals of the run that was added last, if its values are estimates: of
   AMOUNTS of parts of the heap, rows or nodes of stacks, by the NUMBERS of their
   functions, or NULL for 0 and so on.  Those of no function are of all together alone. */
void runset_add_ranges(struct runset *side, const struct amounts *amounts,
                       const uint32_t *numbers);

/* Adds a run of RESULT, which VIEW shows, with what it has allocated by the rows of
   -allocs, by BY, the same for all runs.  A row is found again in another run or build by
   its function, by what is called there and the type, and by how many lines behind the
   function's beginning the call is; where each side has only one more of the first three,
   without regard to lines.  */
void runset_add_allocations(struct runset *side, const struct evaluate_result *result,
                            const struct view *view, enum allocview_by by);

/* Orders functions of one name and file, which are matched in this order: by line, and
   where all is alike by the folder of the compilation.  As strcmp.  */
int runset_by_line(const struct runset_function *one,
                   const struct runset_function *other);

/* The number of a function, or of what runset_add_places has instead, which is
   added if it is missing.  */
uint32_t runset_put(struct runset *side, const struct identity_source *source,
                    const char *shown);
uint32_t runset_put_place(struct runset *side, const struct rows_row *row);

/* Adds all functions of the program, measured or not.  */
void runset_add_functions(struct runset *side, const struct rows *catalog);

/* The seconds that the run's samples stand for.  */
double runset_sampled_seconds(const struct runset_run *run);

/* The column of a measure; NULL: the run does not have it.  */
const struct runset_column *runset_column(const struct runset_run *run,
                                          struct runset_measure measure);

static inline bool runset_is_same(struct runset_measure one, struct runset_measure other)
{
    return one.of == other.of && one.part == other.part;
}

uint64_t runset_total(const struct runset_run *run, struct runset_measure measure);
uint64_t runset_value(const struct runset_run *run, uint32_t function,
                      struct runset_measure measure);

/* The mean of that over all runs, of which there is at least one; and the share, 0 to 1,
   of the totals of all runs.  */
double runset_mean(const struct runset *side, uint32_t function,
                   struct runset_measure measure);
double runset_share(const struct runset *side, uint32_t function,
                    struct runset_measure measure);

/* Whether values are estimates whose intervals are known.  */
bool runset_is_estimated(const struct runset *side);

/* The mean of what a function, which the program has, has of MEASURE, and its interval:
   the mean itself where each block was counted.  And the same of all functions together.
 */
struct statistics_estimated runset_estimate(const struct runset *side, uint32_t function,
                                            struct runset_measure measure);
struct statistics_estimated runset_estimate_all(const struct runset *side,
                                                struct runset_measure measure);

/* The bounds of the same mean where a run is BOUNDED.  */
struct statistics_interval runset_bounds(const struct runset *side, uint32_t function,
                                         struct runset_measure measure);

/* Whether all runs of the side have the measure.  */
bool runset_has(const struct runset *side, struct runset_measure measure);

/* Whether the side's functions are such, and not lines, expressions, files or
   allocations.  */
bool runset_is_of_functions(const struct runset *side);

/* Whether a function that is missing does not exist.  Of lines this is not known: those
   that were not executed are missing.  */
bool runset_has_all(const struct runset *side);

/* Whether its rows are calls that allocate, alone or by path, and not types.  */
bool runset_is_of_calls(const struct runset *side);

/* The name of a measure: in options and data, for example `stack'; and in headings,
   `calls on the stack', to be freed.  */
const char *runset_measure_name(struct runset_measure measure);
const char *runset_noun(const struct runset *side); /* of its functions */
char *runset_unit(const struct runset *side, struct runset_measure measure);

void runset_free(struct runset *side);

#endif
