/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates a profile with the tables of its program, for main.c.  The views read the
   result and do not change it.  */

#ifndef MLPROF_EVALUATE_H
#define MLPROF_EVALUATE_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/base/pattern.h"
#include "mlprof/evaluate/keep.h"
#include "mlprof/groups/grouping.h"
#include "mlprof/names/names.h"
#include "mlprof/parallel/constructs.h"
#include "mlprof/regions/regionrows.h"
#include "mlprof/rows/rows.h"
#include "mlprof/rows/spread.h"
#include "mlprof/rows/trained.h"
#include "mlprof/stacks/wrappers.h"
#include "mlprof/tables/flowtables.h"

/* What is to be evaluated.  */
struct evaluate_request {
    const char *executable;             /* the path of module 0 */
    const struct pattern *unprofile;    /* functions to be taken out of the tables */
    const struct stacks_filter *filter; /* which stacks are kept */
    const struct keep *keep;            /* which rows are kept; NULL: all */
    /* Functions of whose copies rows are made; NULL: none.  */
    const struct patterns *split;
    struct names_style names;
    bool listing; /* names have positions, whatever NAMES says */
    enum branch_scope branches;
    bool artificial;  /* artificial functions have rows of their own */
    bool skid;        /* samples are charged to the instruction that has just ended */
    bool outside;     /* functions outside of profiled code have rows */
    bool addresses;   /* frames are kept apart by their addresses */
    enum rows_key by; /* what the rows of the table stand for */
    enum spread_over over; /* the workers among which load is compared */
    bool groups;           /* rows by every other key are wanted, too */
    bool values;           /* and what these have of all measures of the heap */
    bool catalog;          /* if nothing was measured, all functions are listed */
    bool constructs;       /* the constructs of OpenMP are required */
    bool trained;          /* the time in functions with counts for GCC is wanted */
    bool region_copies;    /* copies of functions with a stopwatch have rows */
    bool region_costs;     /* the cost of measuring regions is subtracted */
    /* A profile with nothing but counts for GCC (the argument train), which are in no
       rows, is accepted; if false, such a profile is a FAULT.  */
    bool trained_alone;
    /* A shared object that is damaged or of another build counts as unprofiled.  */
    bool tolerant;
    /* The measure of rows and stacks; NULL: the main measure or, if only the heap was
       measured, live.  A measure of the heap has no effect unless that was measured.  */
    const struct measure *measure;
    /* Include functions that have no value of this measure but have values of others, and
       keep allocation and free times in the stacks.  */
    bool heap_whole;
    struct wrappers_options wrappers; /* taken out of the stacks of the heap */
};

struct evaluate_result {
    const struct profile *profile;
    /* PROFILE points to this: a profile as if only the shown measures had been
       measured.  */
    struct profile chosen;
    struct stacks_filter_part
        part;          /* what the filter has kept; all zero without a filter */
    unsigned left_out; /* kinds that were measured but are not in PROFILE */
    char *wrappers;    /* names of those taken out (wrappers.h); NULL: none is */
    struct program program;
    struct rows rows;
    /* Rows by the key that was wanted; empty if that is functions.  */
    struct rows grouped;
    /* Rows by each key that tells anything apart, if GROUPS was wanted; otherwise
       empty.  */
    struct rows groups[ROWS_KEYS];
    /* Without rows if there are no regions; copies only if they were wanted.  */
    struct regionrows regions[REGIONROWS_KEYS];
    /* The constructs of OpenMP, if they or GROUPS were wanted.  */
    struct constructs constructs;
    /* All functions, if that was wanted and nothing was measured; otherwise empty.  */
    struct rows catalog;
    bool *kept, *kept_catalog;  /* by row: whether KEEP means it; NULL: all */
    struct spread spread;       /* empty if it was not wanted */
    struct trainedrows trained; /* empty if it was not wanted */
    struct flowcounts flows;
    struct arcs arcs;            /* empty if calls were not counted */
    struct arcs_target *targets; /* the targets that ARCS refers to */
    struct outside *outside;     /* NULL: not wanted */
};

/* Fills RESULT, which evaluate_free frees.  PROFILE and EXECUTABLE, the tables of module
   0, must live as long as RESULT; functions are taken out of EXECUTABLE.  Returns false
   and FAULT, with nothing to be freed, if no module has tables; if tables are damaged or
   of another build; if no function matches UNPROFILE or a pattern of the filter; if a
   filter is given and only calls were measured, which have no stacks; if the measure that
   is wanted was not measured; or if constructs are wanted and there are none.  */
bool evaluate(struct evaluate_result *result, const struct profile *profile,
              struct tables *executable, const struct evaluate_request *request,
              struct fault *fault);

void evaluate_free(struct evaluate_result *result);

/* Lists the functions of a program (catalog.c), for the graph of a program of which
   nothing was measured.  Fills ROWS, which rows_free frees and which lives as long as
   TABLES, with a row without samples for each source function that has code in TABLES,
   sorted by name, and an edge for each inlined call.  With FLOWS, those of the same file,
   which may be NULL, there is an edge for each direct call, too, as far as these tell of
   them: where blocks can be counted; if nothing but these can be, TABLES tell of no code,
   and all the functions that were compiled have rows.  Functions that SPLIT means
   (names_match; may be NULL) have a row for each copy, and only the inlined calls.  */
void catalog_fill(struct rows *rows, struct tables *tables, const struct patterns *split,
                  const struct names_style *style, const struct flowtables *flows);

#endif
