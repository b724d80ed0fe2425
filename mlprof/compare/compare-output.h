/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the results of comparisons to files. compare-data.c writes changes, growth,
   and exceeded limits of a budget as JSON and CSV (mlprof(1), "FORMATS";
   doc/mlprof-compare.schema.json). compare-page.c writes the fields of a page's data.
   Called by mlprof/commands. */

#ifndef MLPROF_COMPARE_OUTPUT_H
#define MLPROF_COMPARE_OUTPUT_H

#include "mlprof/compare/breakdown.h"
#include "mlprof/compare/changes-table.h"
#include "mlprof/compare/gate.h"
#include "mlprof/compare/growth.h"
#include "mlprof/compare/regionchange.h"
#include "mlprof/export/export.h"
#include "mlprof/page/datacolumns.h"

/* Write all rows to the requested files of FILES, independently of other outputs.
   MAKER is the name and version of ccprof. FORMULA may be NULL. If a file cannot be
   written, return false and set FAULT. */
bool compare_data_changes(const struct export_files *files, const char *maker,
                          const struct changes_view *view, const struct changes *changes,
                          const struct formula *formula, struct fault *fault);
bool compare_data_regions(const struct export_files *files, const char *maker,
                          const struct regionchanges *changes, struct fault *fault);
bool compare_data_growth(const struct export_files *files, const char *maker,
                         const struct growth *growth, struct fault *fault);
bool compare_data_gate(const struct export_files *files, const char *maker,
                       const struct gate *gate, struct fault *fault);

/* Two fields of a page's data (page/page.h), for comparison-page.c. `compare' has the
   changes of functions, lines, expressions and stacks between two sides, or their
   growth with the input. `region_changes' has the changes of the time of regions,
   with the values of each region before and after. The other fields of the page come
   from the side after, or from the greatest input. A field `row' is a row of the
   page's tables, or -1.

   The context of compare_page_changes: */
struct compare_page_changes {
    const struct compare_page_regions *regions; /* NULL: regions are not compared */
    const struct changes_view *view;            /* NULL: only regions are compared */
    const struct changes *changes;
    const struct formula *formula; /* NULL: none */
    const struct breakdown *breakdowns[2];
    /* Both sides are the same program, so lines can be compared. */
    bool same_program;
    bool main; /* the compared measure is the measure of the stacks */
    struct runset *after;
    struct breakdown *after_breakdown;
    struct report *page; /* result that the page shows */
};

/* The changes of the regions that all runs have in common. */
struct compare_page_regions {
    const struct regionchanges *changes;
    struct regionside *sides[2];
    /* The result of all runs of each side added up. */
    struct report *all[2];
};

struct compare_page_growth {
    const struct growth_input *input;
    const struct breakdown *const *breakdowns; /* by side */
    struct runset *side;                       /* side that the page shows */
    struct breakdown *breakdown;
    const char *program;
    struct report *page;
};

void compare_page_changes(struct datacolumns *columns, const void *data);
void compare_page_growth(struct datacolumns *columns, const void *data);

#endif
