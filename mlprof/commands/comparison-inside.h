/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files comparison*.c: the sides of a comparison, with their data files
   read.  */

#ifndef MLPROF_COMPARISON_INSIDE_H
#define MLPROF_COMPARISON_INSIDE_H

#include "mlprof/compare/calls.h"
#include "mlprof/compare/changes-table.h"
#include "mlprof/compare/codechange.h"
#include "mlprof/compare/growth.h"
#include "mlprof/compare/regionchange.h"
#include "mlprof/evaluate/evaluate.h"
#include "mlprof/options/options.h"
#include "mlprof/profile/profile.h"
#include "mlprof/tables/tables.h"
#include "mlprof/view/allocview.h"

/* Data files of one program and one size of input: words of the command line, and files
   that list more.  */
struct group {
    const struct options *options;
    struct fault *fault;
    const char *program;
    struct tables *tables;
    bool own_tables; /* TABLES are to be closed */
    char **files;
    size_t count;
    /* The divisions of the command line whose lists belong to the group.  */
    size_t part, parts;
    double size; /* 0: not given */
    bool after;  /* the operands stand behind -compare */
    bool wants_page, wants_merged, wants_code;
    struct allocview_lacks *lacks; /* of all runs' allocations */
    unsigned kind;                 /* what the first run has measured */
    uint64_t rate;                 /* and how often it was sampled */
    struct runset side;
    struct codechange_side code; /* empty unless it is wanted */
    struct runset places;        /* of -by or -allocs; empty unless one was given */
    struct source_files *texts;  /* of the programs of the runs; NULL: not wanted */
    struct breakdown calls;      /* of -callers and the like; empty: none was given */
    const struct measure *calls_measure;
    struct regionside regions;
    /* The lines, expressions and stacks of the runs, if a page is wanted.  */
    struct breakdown breakdown;
    struct profile merged; /* the sum of the runs, if it is wanted */
    struct wrappers_runs *wrappers;
    char *skipped; /* the wrappers that the last run does not show; NULL: none */
};

struct comparison {
    const struct options *options;
    struct group *groups;
    size_t count, capacity;
    const char *page;          /* the file of the page; NULL: none is wanted */
    struct source_files files; /* of the lines of -by */
    struct allocview_lacks lacks;
    struct wrappers_runs *wrappers; /* of all runs of the heap */
};

/* Makes the groups of the command line.  EXECUTABLE are the tables of the first operand.
   comparison_free frees COMPARISON in any case; FAULT must live as long.  */
void comparison_begin(struct comparison *comparison, struct tables *executable,
                      struct fault *fault);

/* What is to be evaluated for a run of the group.  Lives as long as the group.  */
struct evaluate_request comparison_request(const struct group *group);

/* Evaluates the times of regions in the sum of the runs, and nothing else.  */
bool comparison_evaluate_regions(struct evaluate_result *result,
                                 const struct group *group, struct fault *fault);

/* Reads the programs and data files of all groups.  */
bool comparison_read(struct comparison *comparison, struct fault *fault);

void comparison_free(struct comparison *comparison);

/* The comparison of functions, or of what -by tells.  */
struct comparison_found {
    struct match match;
    struct changes changes;
    struct codechange code; /* empty unless it is wanted */
    struct changes_view view;
};

bool comparison_is_of_calls(const struct options *options);
extern const struct views_entry *const comparison_calls[CALLS_VIEWS];

/* Compares them; FOUND is the comparison of the functions.  */
bool comparison_find_calls(struct calls *calls, const struct comparison *comparison,
                           const struct comparison_found *found, struct fault *fault);

/* Whether the lines of functions, or expressions, are compared.  */
static inline bool comparison_is_of_lines(const struct options *options)
{
    return options->by == ROWS_LINES || options->by == ROWS_EXPRESSIONS;
}

/* Whether all runs have regions.  */
bool comparison_has_regions(const struct comparison *comparison);

/* Fills CHANGES, which regionchanges_free frees; all runs have regions.  */
void comparison_find_regions(const struct comparison *comparison,
                             struct regionchanges *changes);

/* Compares regions.  FOUND has the functions for the page, or is NULL.  */
bool comparison_regions(const struct comparison *comparison,
                        const struct comparison_found *found, struct fault *fault);

/* Write the page, if one is wanted: changes of functions, of regions, or of both (FOUND
   or REGIONS may be NULL); and growth.  */
bool comparison_page_changes(const struct comparison *comparison,
                             const struct comparison_found *found,
                             const struct regionchanges *regions, struct fault *fault);
bool comparison_page_growth(const struct comparison *comparison,
                            const struct growth_input *input, struct fault *fault);

#endif
