/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates a profile with the tables of the program that it was measured in, for main.c.
   The result is finished: the views read it and change nothing in it.  */

#ifndef MLPROF_EVALUATE_H
#define MLPROF_EVALUATE_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/base/pattern.h"
#include "mlprof/evaluate/keep.h"
#include "mlprof/groups/grouping.h"
#include "mlprof/parallel/constructs.h"
#include "mlprof/regions/regionrows.h"
#include "mlprof/rows/spread.h"
#include "mlprof/stacks/stacks-filter.h"

/* What the user wants of the result.  */
struct evaluate_wishes {
    const char *executable;             /* the file of module 0 */
    const struct pattern *unprofile;    /* functions to be taken out of the tables */
    const struct stacks_filter *filter; /* the stacks that are wanted */
    const struct keep *keep;            /* the rows that are wanted; NULL: all */
    const struct patterns *split;       /* functions whose copies are rows; NULL: none */
    struct names_style names;
    bool listing; /* names are shown with their positions, whatever NAMES says */
    enum branch_scope branches;
    bool artificial;  /* functions that are declared artificial have rows of their own */
    bool skid;        /* samples are charged to the instruction that had just ended */
    bool outside;     /* functions outside of profiled code have rows */
    bool addresses;   /* the frames of stacks are kept apart by them */
    enum rows_key by; /* what the table's rows are of */
    enum spread_over over; /* what the load of functions is spread over */
    bool groups;           /* rows of all other things are wanted, too */
    bool catalog;          /* if nothing was measured, all functions are wanted */
    bool constructs;       /* of OpenMP: nothing is told without them */
    bool region_copies;    /* copies of functions with a stopwatch are told apart */
    bool region_costs;     /* what it cost to measure regions is subtracted */
    bool tolerant;         /* shared objects that are damaged or of another build count as
                              unprofiled */
};

struct evaluate_result {
    const struct profile *profile;
    struct profile filtered; /* what PROFILE is if there is a filter: without what
                                was counted beside samples or bytes */
    struct stacks_filter_part
        part;          /* what the filter has kept; all zero: there is none */
    unsigned left_out; /* kinds that were measured and are not in PROFILE */
    struct program program;
    struct rows rows;
    struct rows grouped; /* by what was wanted, if not by function; else empty */
    struct rows groups[ROWS_KEYS]; /* by all that tells anything apart, if that was
                                      wanted; else empty */
    struct regionrows regions[REGIONROWS_KEYS]; /* without rows if there are no regions;
                                                   of copies only if wanted */
    struct constructs constructs; /* of OpenMP, if they or GROUPS were wanted */
    struct rows catalog; /* all functions, if that was wanted and nothing was measured;
                            else empty */
    bool *kept, *kept_catalog; /* by row whether KEEP means it; NULL: all */
    struct spread spread;      /* empty if that was not wanted */
    struct flowcounts flows;
    struct arcs arcs;            /* empty if calls were not counted */
    struct arcs_target *targets; /* that ARCS has */
    struct outside *outside;     /* NULL: not wanted */
};

/* Fills RESULT, which evaluate_free frees; PROFILE and EXECUTABLE, the tables of module
   0, which get functions taken out, live as long as it.  False, FAULT and nothing to be
   freed if the modules of the program have no tables, tables are damaged or of another
   build, no function matches the pattern UNPROFILE or one of the filter, calls are all
   that was measured, which a filter has no stacks of, or there are no constructs.  */
bool evaluate(struct evaluate_result *result, const struct profile *profile,
              struct tables *executable, const struct evaluate_wishes *wishes,
              struct fault *fault);

void evaluate_free(struct evaluate_result *result);

#endif
