/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report answers questions about a profile and its program. report_open makes the
   stacks and the rows of functions, which every view needs. Everything else is
   computed when it is asked for the first time, and belongs to the report. Opened by
   main.c, commands/ and compare/; views, page and export ask. Only one thread uses a
   report. */

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
#include "mlprof/waiting/waiting.h"

/* Which frames the stacks have. */
struct report_frames {
    bool artificial; /* artificial functions have their own rows */
    /* Functions outside of profiled code have rows: with a measure that is not of the
       heap, and with a measure of the heap. */
    bool outside, outside_of_heap;
    bool addresses; /* distinguish frames by address */
    /* Kinds of frames around code that are kept although trees leave them out, because
       exports need them: bits 1 << enum stacks_what. The kind of the choice's ROWS_KEY
       is kept, too. */
    unsigned kept_around;
    struct wrappers_options wrappers; /* wrappers to remove from the stacks of the heap */
};

/* What a report is about: the options that it depends on. */
struct report_choice {
    const char *executable;             /* path of module 0 */
    const struct pattern *unprofile;    /* functions to remove from the tables */
    const struct stacks_filter *filter; /* which stacks are kept */
    const struct keep *keep;            /* which rows are kept; NULL: all */
    /* Functions that get a separate row for each copy. NULL: none. */
    const struct patterns *split;
    struct names_style names;
    const struct patterns *libraries; /* source files of libraries, for rows of paths */
    bool waits;   /* without MEASURE, the filter is for the stacks of waits */
    bool listing; /* names include positions, even if NAMES does not */
    enum branch_owners branches;
    struct report_frames frames;
    bool idle;              /* idle waits are apart from blocked ones */
    bool skid;              /* charge samples to the instruction that has just ended */
    enum rows_key rows_key; /* key of the rows of the table */
    /* Workers over which load is compared. SPREAD_NOTHING: ranks if there are ranks,
       otherwise threads. */
    enum spread_over over;
    bool values;       /* rows by every key have their amounts of all heap measures */
    bool region_costs; /* subtract the cost of measuring regions */
    /* Accept a profile that has only counts for GCC (the argument train), although no
       rows have such counts. If false, such a profile is a FAULT. */
    bool trained_alone;
    /* Treat a shared object as unprofiled if it is damaged or of another build. */
    bool tolerant;
    /* The measure of rows and stacks. NULL: the main measure or, if only the heap was
       measured, live. Rows of memory have allocated bytes or, if only the heap has
       types, live. A heap measure has no effect if the heap was not measured. */
    const struct measure *measure;
    bool wait_variance; /* with the measure wait: the variance of times (waitpoints.h) */
    unsigned beside;    /* measures of instructions to know, too (flow/instructions.h) */
    /* Include functions that have no value of this measure but have values of others,
       and keep allocation and free times in the stacks. */
    bool heap_whole;
};

/* Measurements with stacks of their own, which the page shows in addition. */
enum report_beside { REPORT_OF_HEAP, REPORT_OF_WAITS, REPORT_BESIDES };

/* The questions whose answers are kept. */
enum report_question {
    REPORT_FLOW_ROWS, /* the rows of flow graphs */
    REPORT_CATALOG,
    REPORT_CONSTRUCTS,
    REPORT_SPREAD,
    REPORT_TRAINED,
    REPORT_VERDICTS,
    REPORT_WAITING,
    REPORT_BESIDE,                                   /* by enum report_beside */
    REPORT_REGIONS = REPORT_BESIDE + REPORT_BESIDES, /* by key */
    REPORT_GROUPS = REPORT_REGIONS + REGIONROWS_KEYS,
    REPORT_QUESTIONS = REPORT_GROUPS + ROWS_KEYS
};

/* What a report has computed so far, for the files of this room. An answer can be that
   there is nothing. */
struct report_answers {
    bool known[REPORT_QUESTIONS];
    struct rows groups[ROWS_KEYS];
    struct regionrows regions[REGIONROWS_KEYS];
    struct rows catalog;
    bool *catalog_kept;
    struct constructs constructs;
    struct fault no_constructs; /* why there are none */
    struct spread spread;
    struct trainedrows trained;
    struct fault no_trained; /* why they are not known */
    struct verdicts verdicts;
    struct report *beside[REPORT_BESIDES];
    struct waiting waiting;
};

struct report {
    struct report_choice choice;
    const struct profile *measured; /* everything that was measured */
    /* What is shown. Points to CHOSEN: a copy of the profile with only the shown
       measures. */
    const struct profile *profile;
    struct profile chosen;
    struct instructions_rest instructions; /* not measured: all zero */
    unsigned left_out; /* kinds that were measured but are not in PROFILE */
    char *wrappers;    /* names of the removed wrappers (wrappers.h); NULL: none */
    struct program program;
    bool borrows; /* PROGRAM and FLOWS belong to another report */
    struct rows rows;
    /* Rows by the key of the choice. Empty if the key is functions. */
    struct rows grouped;
    bool *kept;              /* by row: whether it matches the choice; NULL: all match */
    struct flowcounts flows; /* see report_flows */
    struct arcs arcs;        /* empty if calls were not counted */
    struct arcs_target *targets; /* the targets that ARCS refers to */
    struct outside *outside;     /* NULL: not requested */
    struct report_answers answers;
};

/* Opens REPORT; closed by report_close. PROFILE and EXECUTABLE, the tables of module 0,
   must live as long as REPORT, and so must everything that CHOICE points to. Functions
   are removed from EXECUTABLE. Returns false and sets FAULT, with nothing to close, in
   these cases: no module has tables; tables are damaged or of another build; no
   function matches UNPROFILE or a pattern of the filter; a filter is given, but only
   calls were measured, which have no stacks; the chosen measure was not measured; the
   data have nothing by the chosen key. */
bool report_open(struct report *report, const struct profile *profile,
                 struct tables *executable, const struct report_choice *choice,
                 struct fault *fault);

void report_close(struct report *report);

/* The answers live as long as the report. */

/* Returns the flow graphs with the counts of their blocks. Empty if blocks were not
   counted, and if stacks are filtered. */
const struct flowcounts *report_flows(const struct report *report);

/* Returns rows by KEY, which is not functions. Empty if the data do not distinguish
   this key. */
const struct rows *report_rows(struct report *report, enum rows_key key);

/* Returns all functions of the program, measured or not. Sets *KEPT, by row, to whether
   it matches the choice; NULL: all match. */
const struct rows *report_catalog(struct report *report, const bool **kept);

/* Returns the regions by KEY. NULL: no regions were measured. */
const struct regionrows *report_regions(struct report *report, enum regionrows_by key);

/* Returns the constructs of OpenMP. If there are none, returns NULL and sets FAULT,
   which may be NULL. */
const struct constructs *report_constructs(struct report *report, struct fault *fault);

/* Returns the load of the workers that the choice says. Empty if there are none, or if
   time was not sampled. */
const struct spread *report_spread(struct report *report);

/* Returns the time in functions that have counts for GCC; empty if there are none.
   Returns NULL and sets FAULT if tables are damaged. */
const struct trainedrows *report_trained(struct report *report, struct fault *fault);

/* Returns GCC's remarks about loops. Empty if there are none. */
const struct verdicts *report_verdicts(struct report *report);

/* Returns what threads did and waited for, whatever the chosen measure is. NULL: waiting
   was not measured. */
const struct waiting *report_waiting(struct report *report);

/* Returns a report of memory in use, or of waits. NULL if the report itself is of one of
   them, if WHAT was not measured, or if the choice filters out all of it. */
struct report *report_beside(struct report *report, enum report_beside what);

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
   the choice was not measured, or if stacks must be filtered but were not measured. */
bool choose_shown(struct report *report, struct fault *fault);

/* Makes `grouped' of REPORT. Returns false and sets FAULT if the data have nothing by
   the key of the choice. Hides the rows that have only other measures, unless the
   choice asks for them. */
bool grouped_fill(struct report *report, struct fault *fault);

/* Filters and splits STACKS as the choice says. Returns false and sets FAULT if a pattern
   matches nothing, or if functions cannot be split. */
bool choose_stacks(struct report *report, struct stacks *stacks,
                   const struct patterns *split, struct fault *fault);

/* Returns whether flow graphs have counts to show: if blocks were counted, or if nothing
   was measured. For branches whose time was measured, there are flow graphs without
   counts. Without counts, tables would suggest that each was never executed. */
bool report_has_blocks(const struct report *report);

/* Returns true when QUESTION is asked for the first time: then the caller answers it. */
bool answers_is_first(struct report_answers *answers, enum report_question question);

void answers_free(struct report_answers *answers);

#endif
