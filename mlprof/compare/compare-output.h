/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the results of comparisons for programs and pages: changes, growth, and
   differences from a baseline as JSON and CSV (compare-data.c; mlprof(1), "FORMATS";
   doc/mlprof-compare.schema.json), and the fields of a page's data (compare-page.c).  */

#ifndef MLPROF_COMPARE_OUTPUT_H
#define MLPROF_COMPARE_OUTPUT_H

#include "mlprof/compare/calls.h"
#include "mlprof/compare/changes-table.h"
#include "mlprof/compare/gate.h"
#include "mlprof/compare/growth.h"
#include "mlprof/compare/regionchange.h"
#include "mlprof/export/export.h"
#include "mlprof/page/datacolumns.h"

struct compare_data_files {
    const struct export_files *files;
    const char *maker; /* ccprof and its version */
};

/* Write all rows, whatever is shown elsewhere, to those of FILES that are wanted; false
   and FAULT if a file cannot be written.  FORMULA may be NULL.  */
bool compare_data_changes(const struct compare_data_files *files,
                          const struct changes_view *view, const struct changes *changes,
                          const struct formula *formula, struct fault *fault);
bool compare_data_regions(const struct compare_data_files *files,
                          const struct regionchanges *changes, struct fault *fault);
bool compare_data_growth(const struct compare_data_files *files,
                         const struct growth *growth, struct fault *fault);
bool compare_data_gate(const struct compare_data_files *files, const struct gate *gate,
                       const char *baseline, double threshold, struct fault *fault);

/* The two fields of a page's data (page/page.h), for comparison-page.c.
   `compare' has what changed between two sides, or how it grows with the input: of
   functions, lines, expressions and stacks.  `region_changes' has how the time of regions
   changed, with the figures of each region before and after.  The
   rest of the page is that of the side after, or of the greatest input; `row' is a row of
   its tables, or -1.

   The context of compare_page_changes:  */
struct compare_page_changes {
    const struct compare_page_regions *regions; /* NULL: regions are not compared */
    const struct changes_view *view;            /* NULL: only regions are compared */
    const struct changes *changes;
    const struct formula *formula; /* NULL: none */
    const struct breakdown *breakdowns[2];
    /* Both sides are the same program, so that lines can be compared.  */
    bool same_program;
    bool main; /* the measure that is compared is that of the stacks */
    struct runset *after;
    struct breakdown *after_breakdown;
    const struct evaluate_result *page; /* the result that the page shows */
};

/* The changes of the regions that all runs have.  */
struct compare_page_regions {
    const struct regionchanges *changes;
    struct regionside *sides[2];
    /* The results of the sums of each side's runs.  */
    const struct evaluate_result *all[2];
};

struct compare_page_growth {
    const struct growth_input *input;
    const struct breakdown *const *breakdowns; /* in the order of the sides */
    struct runset *side;                       /* the side that the page shows */
    struct breakdown *breakdown;
    const char *program;
    const struct evaluate_result *page;
};

void compare_page_changes(struct datacolumns *columns, const void *data);
void compare_page_growth(struct datacolumns *columns, const void *data);

#endif
