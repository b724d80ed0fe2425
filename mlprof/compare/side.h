/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds what several runs of one program have measured, run by run and function by
   function: a side of a comparison.  Each run is evaluated for itself, and only the
   numbers are kept.  */

#ifndef MLPROF_SIDE_H
#define MLPROF_SIDE_H

#include "mlprof/compare/points.h"
#include "mlprof/evaluate/evaluate.h"

/* What there may be to compare.  */
enum side_measure {
    SIDE_TIME,  /* samples while the function was the innermost */
    SIDE_STACK, /* samples while it was on the stack, or inclusive counts */
    SIDE_CALLS,
    SIDE_BYTES,  /* allocated while it was the innermost */
    SIDE_BLOCKS, /* likewise */
    SIDE_MEASURES
};

struct side_function {
    char *key;   /* its name for the assembler, or what is in its place */
    char *file;  /* as the compiler was told; NULL: unknown */
    char *shown; /* its name in views */
    uint32_t line, column;
};

/* What was measured of a function in a run.  */
struct side_values {
    uint64_t of[SIDE_MEASURES];
};

struct side_run {
    unsigned kind;
    enum profile_clock clock;
    uint64_t rate;    /* samples in a second */
    uint64_t files;   /* data files that it was added up from */
    uint64_t samples; /* all, the lost ones included */
    uint64_t totals[SIDE_MEASURES];
    double seconds;             /* on the clock; the CPU time is that of the kernel */
    uint64_t uncounted;         /* threads whose counts are not all there */
    bool stack;                 /* SIDE_STACK is known */
    struct side_values *values; /* by function; the last ones, without a value, may be
                                   missing */
    size_t count;
};

/* Starts as all zero.  */
struct side {
    struct side_function *functions;
    size_t function_count, function_capacity;
    struct identity identity; /* of the functions */
    struct side_run *runs;
    size_t run_count, run_capacity;
    struct points points; /* of the only run; empty unless they were asked for */
};

/* Adds a run.  Branches are left out: they are no functions.  */
void side_add(struct side *side, const struct evaluate_result *result);

/* Adds the points of the run that side_add has added of RESULT, the side's only one.  */
void side_add_points(struct side *side, const struct evaluate_result *result);

/* Adds a run by other ROWS than functions, which the result has: lines, expressions. They
   are told apart by their places.  */
void side_add_places(struct side *side, const struct evaluate_result *result,
                     const struct rows *rows);

/* Adds a run of what the caller has numbered; VALUES become the side's.  Of the totals
   only those of time and stack are known.  */
void side_add_values(struct side *side, const struct evaluate_result *result,
                     struct side_values *values, size_t count);

/* The number of a function, or of a row of side_add_places; a new one if it is not
   there.  */
uint32_t side_put(struct side *side, const struct identity_source *source,
                  const char *shown);
uint32_t side_put_place(struct side *side, const struct rows_row *row);

/* Adds the functions that the program has, whether or not anything was measured of them.
 */
void side_add_functions(struct side *side, const struct rows *catalog);

/* The seconds that the run's samples stand for.  */
double side_sampled_seconds(const struct side_run *run);

uint64_t side_value(const struct side_run *run, uint32_t function,
                    enum side_measure measure);

/* Whether all runs of the side have measured it.  */
bool side_has(const struct side *side, enum side_measure measure);

/* The runs' measure is sampled, not counted.  */
bool side_is_sampled(const struct side *side, enum side_measure measure);

/* What a measure is called: as options and data have it, `stack'; and in headings, `calls
   on the stack'.  */
const char *side_measure_name(enum side_measure measure);
const char *side_unit(const struct side *side, enum side_measure measure);

void side_free(struct side *side);

#endif
