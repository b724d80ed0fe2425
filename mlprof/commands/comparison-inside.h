/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files comparison*.c have in common: the sides of a comparison, with their data
   files read.  */

#ifndef MLPROF_COMPARISON_INSIDE_H
#define MLPROF_COMPARISON_INSIDE_H

#include "mlprof/compare/breakdown.h"
#include "mlprof/compare/changes-table.h"
#include "mlprof/compare/growth.h"
#include "mlprof/compare/regionchange.h"
#include "mlprof/evaluate/evaluate.h"
#include "mlprof/options/options.h"
#include "mlprof/profile/profile.h"
#include "mlprof/tables/tables.h"

/* Data files of one program and one size of input, as the command line has them: its
   words, and lists of others.  */
struct group {
    const struct options *options;
    struct fault *fault;
    const char *program;
    struct tables *tables;
    bool own_tables; /* to be closed */
    char **files;
    size_t count;
    size_t part, parts; /* lists from which part of the command line on, and to which */
    double size;        /* 0: not told */
    bool after;         /* behind -compare */
    bool wants_page, wants_merged;
    struct side side;
    struct regionside regions;
    /* Only if a page is wanted: the runs' lines, expressions and stacks.  */
    struct breakdown breakdown;
    struct profile merged; /* the sum of the runs, if it is wanted */
};

struct comparison {
    const struct options *options;
    struct group *groups;
    size_t count, capacity;
    const char *page; /* the file of a page; NULL: none is wanted */
};

/* Makes the groups of the command line; EXECUTABLE are the tables of the first operand.
   comparison_free frees them in any case, and FAULT lives as long.  */
void comparison_begin(struct comparison *comparison, struct tables *executable,
                      struct fault *fault);

/* What a run of the group is evaluated for.  It lives as long as the group.  */
struct evaluate_wishes comparison_wishes(const struct group *group);

/* Evaluates the sum of the runs for the time of regions alone.  */
bool comparison_evaluate_regions(struct evaluate_result *result,
                                 const struct group *group, struct fault *fault);

/* Reads the programs and data files of all groups.  */
bool comparison_read(struct comparison *comparison, struct fault *fault);

void comparison_free(struct comparison *comparison);

/* Functions that are compared.  */
struct comparison_found {
    struct match match;
    struct changes changes;
    struct changes_view view;
};

/* Whether all runs have regions.  */
bool comparison_has_regions(const struct comparison *comparison);

/* Fills CHANGES, which regionchanges_free frees; all runs have regions.  */
void comparison_find_regions(const struct comparison *comparison,
                             struct regionchanges *changes);

/* Compares regions, for what else was FOUND the page has a place; NULL: nothing.  */
bool comparison_regions(const struct comparison *comparison,
                        const struct comparison_found *found, struct fault *fault);

/* Writes the page, if one is wanted: changes of functions, of regions or of both, the
   others NULL; and growth.  */
bool comparison_page_changes(const struct comparison *comparison,
                             const struct comparison_found *found,
                             const struct regionchanges *regions, struct fault *fault);
bool comparison_page_growth(const struct comparison *comparison,
                            const struct growth_input *input, struct fault *fault);

#endif
