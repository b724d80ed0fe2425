/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds what several runs of one program have measured, run by run and function by
   function, as a side of a comparison.  Each run is evaluated alone, and only the numbers
   are kept.  */

#ifndef MLPROF_SIDE_H
#define MLPROF_SIDE_H

#include "mlprof/compare/points.h"
#include "mlprof/compare/side-ranges.h"
#include "mlprof/evaluate/evaluate.h"
#include "mlprof/view/allocview.h"

/* What can be compared.  */
enum side_measure {
    SIDE_TIME,   /* samples in which the function was innermost */
    SIDE_STACK,  /* samples in which it was on the stack, or inclusive counts */
    SIDE_CALLS,  /* this and what follows is counted */
    SIDE_BYTES,  /* bytes allocated while it was innermost */
    SIDE_BLOCKS, /* blocks allocated while it was innermost */
    SIDE_MEASURES
};

/* What a function has that is a row of allocations; its KEY is all but where the call
   is.  */
struct side_allocation {
    char *position; /* of the call, for people; "": there is none */
    char *type, *allocator;
    /* Where the call is in its function, which a change elsewhere does not move.  */
    char *within;
};

/* A function; or a line, an expression, a file or a type of side_add_places; or a row of
   allocations, of allocside.h.  */
struct side_function {
    char *key;        /* the symbol; without a symbol, the name; the place */
    char *file;       /* as the compiler was told; NULL: unknown */
    char *directory;  /* in which the file was compiled; NULL: unknown */
    const char *path; /* both together; lives as long as the identity; NULL: unknown */
    char *shown;      /* its name in views */
    char *module;     /* the name of the only shared object that has it; NULL: none */
    char *place;      /* of a line or expression: with parts (text.h); otherwise NULL */
    char *within;     /* of a line or expression: the name of its function, or NULL */
    uint32_t start;   /* and the line where that begins */
    struct rows_range range; /* of an expression */
    uint32_t line, column;
    struct side_allocation *allocation; /* NULL: it is none */
};

/* The measures of a function in a run.  */
struct side_values {
    uint64_t of[SIDE_MEASURES];
};

struct side_run {
    unsigned kind;
    enum profile_clock clock;
    uint64_t rate;    /* samples per second */
    uint64_t files;   /* number of data files that were added up */
    uint64_t samples; /* with the lost samples */
    bool heap;        /* its bytes and blocks are of this measure of the heap */
    bool estimated;   /* they are estimates, since blocks were sampled */
    enum heapdata_measure heap_measure;
    uint64_t totals[SIDE_MEASURES];
    double seconds;     /* on the clock; CPU time is the kernel's */
    uint64_t uncounted; /* threads whose counts are not all there */
    bool stack;         /* SIDE_STACK is known */
    bool bounded; /* RANGES are bounds of counts, certain ones, of SIDE_STACK alone */
    /* By function; functions without a value may be missing at the end.  */
    struct side_values *values;
    size_t count;
    struct side_ranges ranges; /* where ESTIMATED or BOUNDED */
};

/* Starts as all zero.  */
struct side {
    enum rows_key key;        /* what the functions are */
    enum allocview_by allocs; /* the same, if they are rows of allocations */
    struct side_function *functions;
    size_t function_count, function_capacity;
    struct identity identity; /* of the functions */
    struct side_run *runs;
    size_t run_count, run_capacity;
    bool of_stacks;       /* what it lacks was not seen, but may be there */
    struct points points; /* of the only run; empty unless they were asked for */
};

/* Adds a run.  Branches are left out, since they are no functions.  */
void side_add(struct side *side, const struct evaluate_result *result);

/* Adds the points of the run that side_add has just added from RESULT, which is the only
   run.  */
void side_add_points(struct side *side, const struct evaluate_result *result);

/* Sets the modules of the functions of the run that side_add has just added from
   RESULT.  */
void side_add_modules(struct side *side, const struct evaluate_result *result);

/* Adds a run of RESULT with its ROWS that are no functions: lines or expressions, which
   are told apart by their places, files, or types.  */
void side_add_places(struct side *side, const struct evaluate_result *result,
                     const struct rows *rows);

/* Adds a run whose functions the caller has numbered, and takes over VALUES.  Of the
   totals only time and stack are known, and those that the caller sets.  */
void side_add_values(struct side *side, const struct evaluate_result *result,
                     struct side_values *values, size_t count);

/* Adds the ranges of that run, if its values are estimates.  */
void side_add_ranges(struct side *side, const struct side_estimates *parts);

/* Orders functions of one name and file, which are matched in this order: by line, and
   where all is alike by the folder of the compilation.  As strcmp.  */
int side_by_line(const struct side_function *one, const struct side_function *other);

/* The number of a function, or of what side_add_places has instead, which is
   added if it is missing.  */
uint32_t side_put(struct side *side, const struct identity_source *source,
                  const char *shown);
uint32_t side_put_place(struct side *side, const struct rows_row *row);

/* Adds all functions of the program, measured or not.  */
void side_add_functions(struct side *side, const struct rows *catalog);

/* The seconds that the run's samples stand for.  */
double side_sampled_seconds(const struct side_run *run);

uint64_t side_value(const struct side_run *run, uint32_t function,
                    enum side_measure measure);

/* The mean of that over all runs, of which there is at least one.  */
double side_mean(const struct side *side, uint32_t function, enum side_measure measure);

/* Whether values are estimates whose intervals are known.  */
bool side_is_estimated(const struct side *side);

/* The mean of what a function, which the program has, has of MEASURE, and its interval:
   the mean itself where each block was counted.  Infinite ends: of blocks (struct
   side_range).  And the same of all functions together.  */
struct statistics_estimated side_estimate(const struct side *side, uint32_t function,
                                          enum side_measure measure);
struct statistics_estimated side_estimate_all(const struct side *side,
                                              enum side_measure measure);

/* The bounds of the same mean where a run is BOUNDED.  */
struct statistics_interval side_bounds(const struct side *side, uint32_t function,
                                       enum side_measure measure);

/* Whether all runs of the side have the measure.  */
bool side_has(const struct side *side, enum side_measure measure);

/* Whether the measure is sampled in the side's runs, and not counted.  */
bool side_is_sampled(const struct side *side, enum side_measure measure);

/* Whether the side's functions are such, and not lines, expressions, files or
   allocations.  */
bool side_is_of_functions(const struct side *side);

/* Whether what the side lacks is not there: it lacks lines that were not executed.  */
bool side_has_all(const struct side *side);

/* Whether its rows are calls that allocate, alone or by path, and not types.  */
bool side_is_of_calls(const struct side *side);

/* The name of a measure: in options and data, for example `stack'; and in headings,
   `calls on the stack'.  */
const char *side_measure_name(enum side_measure measure);
const char *side_noun(const struct side *side); /* of its functions */
const char *side_unit(const struct side *side, enum side_measure measure);

void side_free(struct side *side);

#endif
