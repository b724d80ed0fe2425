/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files comparison*.c have in common: the sides of a comparison, with their data
   files read.  */

#ifndef MLPROF_COMPARISON_INSIDE_H
#define MLPROF_COMPARISON_INSIDE_H

#include "mlprof/compare/breakdown.h"
#include "mlprof/compare/compareview.h"
#include "mlprof/compare/growth.h"
#include "mlprof/compare/regionside.h"
#include "mlprof/evaluate/evaluate.h"
#include "mlprof/options.h"
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
    bool wants_page;
    struct side side;
    struct regionside regions;
    /* Only if a page is wanted: the runs' lines, expressions and stacks, and their sum.
     */
    struct breakdown breakdown;
    struct profile merged;
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

/* Reads the programs and data files of all groups.  */
bool comparison_read(struct comparison *comparison, struct fault *fault);

void comparison_free(struct comparison *comparison);

/* Writes the page, if one is wanted: a change, and growth.  */
bool comparison_page_changes(const struct comparison *comparison,
                             const struct compareview *view,
                             const struct changes *changes, struct fault *fault);
bool comparison_page_growth(const struct comparison *comparison,
                            const struct growth_input *input, struct fault *fault);

#endif
