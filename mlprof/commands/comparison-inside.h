/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files comparison*.c: the sides of a comparison and their data. */

#ifndef MLPROF_COMPARISON_INSIDE_H
#define MLPROF_COMPARISON_INSIDE_H

#include "mlprof/compare/breakdown.h"
#include "mlprof/compare/changes-table.h"
#include "mlprof/compare/growth.h"
#include "mlprof/compare/regionchange.h"
#include "mlprof/report/report.h"
#include "mlprof/options/options.h"
#include "mlprof/profile/profile.h"
#include "mlprof/tables/tables.h"
#include "mlprof/view/allocnotes.h"

/* Data files of one program and one input size: words of the command line, and lists
   of files. */
struct group {
    struct comparison *comparison;
    const char *program;
    struct tables *tables;
    bool own_tables; /* comparison_free closes TABLES */
    char **files;
    size_t count;
    /* The group has the lists with the part numbers PART to PARTS - 1. */
    size_t part, parts;
    double size;   /* input size; 0: not given */
    bool after;    /* the operands follow -compare */
    unsigned kind; /* measured kinds of the first run, and its samples per second */
    uint64_t rate;
    struct runset side;
    struct runset places; /* rows of -by, otherwise empty */
    struct regionside regions;
    /* If there is a page: the lines, expressions and stacks of the runs. */
    struct breakdown breakdown;
    struct profile merged; /* sum of the runs, if WANTS_MERGED */
};

struct comparison {
    const struct options *options;
    struct fault *fault;
    struct group *groups; /* with -growth sorted by size when they have been read */
    size_t count, capacity;
    const char *page; /* file name of the page, or NULL */
    bool wants_merged;
    struct source_files files;      /* source files for -by line */
    struct source_files *texts;     /* points to FILES with -by line, otherwise NULL */
    struct allocnotes_lacks lacks;  /* allocations that some run did not count */
    struct wrappers_runs *wrappers; /* wrappers of allocators in the runs */
    char *skipped; /* wrappers that the last run does not show, or NULL */
};

/* Makes the groups that the command line describes. EXECUTABLE are the tables of the
   first operand. The caller calls comparison_free in any case. FAULT must live as
   long as COMPARISON. */
void comparison_begin(struct comparison *comparison, struct tables *executable,
                      struct fault *fault);

/* Returns the choice for the report of a run of the group. The result points into
   GROUP. */
struct report_choice comparison_choice(const struct group *group);

/* Evaluates only the times of regions in the sum of the group's runs. */
bool comparison_evaluate_regions(struct report *report, const struct group *group,
                                 struct fault *fault);

/* Reads the programs and data files of all groups. */
bool comparison_read(struct comparison *comparison, struct fault *fault);

void comparison_free(struct comparison *comparison);

/* A comparison of functions, or of the rows of -by. */
struct comparison_found {
    struct match match;
    struct changes changes;
    struct changes_view view;
};

/* Returns whether lines or expressions are compared. */
static inline bool comparison_is_of_lines(const struct options *options)
{
    return options->rows_key == ROWS_LINES || options->rows_key == ROWS_EXPRESSIONS;
}

/* Returns whether all runs have regions. */
bool comparison_has_regions(const struct comparison *comparison);

/* Fills CHANGES, which regionchanges_free frees. All runs must have regions. */
void comparison_find_regions(const struct comparison *comparison,
                             struct regionchanges *changes);

/* Compares regions and prints the result. FOUND has the functions for the page, or is
   NULL. */
bool comparison_regions(const struct comparison *comparison,
                        const struct comparison_found *found, struct fault *fault);

/* Each function writes the page if a page is requested. The first one writes the
   changes of functions (FOUND), of regions (REGIONS) or of both; one of the two may be
   NULL. The second one writes the growth. */
bool comparison_page_changes(const struct comparison *comparison,
                             const struct comparison_found *found,
                             const struct regionchanges *regions, struct fault *fault);
bool comparison_page_growth(const struct comparison *comparison,
                            const struct growth_input *input, struct fault *fault);

#endif
