/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates a profile with the tables of its program, for main.c, commands/ and
   compare/. The views read the report and do not change it. */

#ifndef MLPROF_REPORT_H
#define MLPROF_REPORT_H

#include "mlprof/arcs/arcs.h"
#include "mlprof/base/pattern.h"
#include "mlprof/report/keep.h"
#include "mlprof/flow/instructions.h"
#include "mlprof/groups/grouping.h"
#include "mlprof/names/names.h"
#include "mlprof/parallel/constructs.h"
#include "mlprof/regions/regionrows.h"
#include "mlprof/rows/rows.h"
#include "mlprof/rows/spread.h"
#include "mlprof/rows/trained.h"
#include "mlprof/rows/verdicts.h"
#include "mlprof/stacks/wrappers.h"
#include "mlprof/tables/flowtables.h"

/* What report_open() computes, and with which options. */
struct report_choice {
    const char *executable;             /* path of module 0 */
    const struct pattern *unprofile;    /* functions to remove from the tables */
    const struct stacks_filter *filter; /* which stacks are kept */
    const struct keep *keep;            /* which rows are kept; NULL: all */
    /* Functions that get a separate row for each copy. NULL: none. */
    const struct patterns *split;
    struct names_style names;
    const struct patterns *libraries; /* source files of libraries, for rows of paths */
    bool listing; /* names include positions, even if NAMES does not */
    enum branch_scope branches;
    bool artificial; /* artificial functions have their own rows */
    bool skid;       /* charge samples to the instruction that has just ended */
    /* Functions outside of profiled code have rows: with a measure that is not of the
       heap, and with a measure of the heap. */
    bool outside, outside_of_heap;
    bool addresses;         /* distinguish frames by address */
    enum rows_key rows_key; /* key of the rows of the table */
    /* Kinds of frames around code that are kept although trees leave them out, because
       exports need them: bits 1 << enum stacks_what. ROWS_KEY's kind is kept, too. */
    unsigned kept_around;
    enum spread_over over; /* workers over which load is compared */
    bool groups;           /* also create rows by every other key */
    bool values;           /* and their amounts of all heap measures */
    bool catalog;          /* if nothing was measured, list all functions */
    bool constructs;       /* fail if there are no OpenMP constructs */
    bool trained;          /* compute the time in functions with counts for GCC */
    bool region_copies;    /* create rows of copies of functions with a stopwatch */
    bool region_costs;     /* subtract the cost of measuring regions */
    /* Accept a profile that has only counts for GCC (the argument train), although no
       rows have such counts. If false, such a profile is a FAULT. */
    bool trained_alone;
    /* Treat a shared object as unprofiled if it is damaged or of another build. */
    bool tolerant;
    /* The measure of rows and stacks. NULL: the main measure or, if only the heap was
       measured, live. Rows of memory have allocated bytes or, if only the heap has
       types, live. A heap measure has no effect if the heap was not measured. */
    const struct measure *measure;
    unsigned beside; /* measures of instructions to know, too (flow/instructions.h) */
    /* Include functions that have no value of this measure but have values of others,
       and keep allocation and free times in the stacks. */
    bool heap_whole;
    struct wrappers_options wrappers; /* wrappers to remove from the stacks of the heap */
};

struct report {
    const struct profile *profile;
    /* PROFILE points to this: a copy of the profile with only the shown measures. */
    struct profile chosen;
    struct stacks_filter_part
        part; /* the data kept by the filter; all zero without a filter */
    struct instructions_rest instructions; /* not measured: all zero */
    unsigned left_out; /* kinds that were measured but are not in PROFILE */
    char *wrappers;    /* names of the removed wrappers (wrappers.h); NULL: none */
    struct program program;
    struct rows rows;
    /* Rows by the requested key. Empty if the key is functions. */
    struct rows grouped;
    /* Rows by each key that the data distinguish, if GROUPS was requested. Otherwise
       empty. */
    struct rows groups[ROWS_KEYS];
    /* Empty if there are no regions. Copies are included only if requested. */
    struct regionrows regions[REGIONROWS_KEYS];
    /* The OpenMP constructs, if they or GROUPS were requested. */
    struct constructs constructs;
    /* All functions, if requested and nothing was measured. Otherwise empty. */
    struct rows catalog;
    bool *kept, *kept_catalog;  /* by row: whether it matches KEEP; NULL: all match */
    struct spread spread;       /* empty if it was not requested */
    struct trainedrows trained; /* empty if it was not requested */
    struct flowcounts flows;
    struct verdicts verdicts;    /* empty if there are no remarks */
    struct arcs arcs;            /* empty if calls were not counted */
    struct arcs_target *targets; /* the targets that ARCS refers to */
    struct outside *outside;     /* NULL: not requested */
};

/* Fills REPORT. The caller frees it with report_close. PROFILE and EXECUTABLE, the
   tables of module 0, must live as long as REPORT. Functions are removed from
   EXECUTABLE. Returns false and sets FAULT, with nothing to free, in these cases: no
   module has tables; tables are damaged or of another build; no function matches
   UNPROFILE or a pattern of the filter; a filter is given, but only calls were
   measured, which have no stacks; the requested measure was not measured; constructs
   are required, but there are none. */
bool report_open(struct report *report, const struct profile *profile,
              struct tables *executable, const struct report_choice *request,
              struct fault *fault);

void report_close(struct report *report);

/* Lists the functions of a program, for the graph of a program without measurements
   (catalog.c). Fills ROWS with a row for each source function that has code in
   TABLES. The rows are sorted by name and have no samples. Each inlined call is an
   edge. ROWS is valid as long as TABLES. The caller frees it with rows_free. FLOWS
   are the flow graphs of the same file, or NULL. They add an edge for each direct
   call in functions with a flow graph. If TABLES describe no code, because only
   blocks can be counted, all compiled functions have rows. Functions that match SPLIT
   (see names_match; may be NULL) have a row for each copy, and only the edges of
   inlined calls. */
void catalog_fill(struct rows *rows, struct tables *tables, const struct patterns *split,
                  const struct names_style *style, const struct flowtables *flows);

/* The rest of this header is for the files of this room. */

/* Sets `chosen' of REPORT to the data of the profile to show, and sets `profile' to
   point to `chosen'. Sets `left_out'. Returns false and sets FAULT if the measure of
   REQUEST was not measured, or if stacks must be filtered but were not measured. */
bool choose_shown(struct report *report, const struct report_choice *request,
                  struct fault *fault);

/* Makes `grouped' and `groups' of REPORT. Returns false and sets FAULT if the data have
   nothing by the requested key. Hides the rows that have only other measures, unless
   REQUEST asks for them. */
bool grouped_fill(struct report *report, const struct report_choice *request,
                  struct fault *fault);

#endif
