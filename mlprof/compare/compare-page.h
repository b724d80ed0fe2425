/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the field `compare' of a page's data (page/page-data.h): what changed between
   two sides, or how it grows with the input, of functions, lines, expressions and stacks;
   and `region_changes', how the time of regions changed, with what the page has of each
   (page/page-regions.h) before and after.
   The page itself is that of the side after, or of the greatest input; `row' is a row of
   its tables, -1: it has none there.  For comparison-page.c.  */

#ifndef MLPROF_COMPARE_PAGE_H
#define MLPROF_COMPARE_PAGE_H

#include "mlprof/compare/breakdown.h"
#include "mlprof/compare/changes-table.h"
#include "mlprof/compare/growth.h"
#include "mlprof/compare/regionchange.h"
#include "mlprof/page/datacolumns.h"

/* What compare_page_changes is given.  */
struct compare_page_changes {
    const struct compare_page_regions *regions; /* NULL: they are not compared */
    const struct changes_view *view;            /* NULL: nothing but them is */
    const struct changes *changes;
    const struct formula *formula; /* NULL: none */
    const struct breakdown *breakdowns[2];
    bool same_program; /* on both sides, so that lines can be compared */
    bool main;         /* the measure is that of the stacks */
    struct side *after;
    struct breakdown *after_breakdown;
    const struct evaluate_result *page; /* what the page is of */
};

/* Of the regions that all runs have.  */
struct compare_page_regions {
    const struct regionchanges *changes;
    struct regionside *sides[2];
    const struct evaluate_result *all[2]; /* of the sum of each side's runs */
};

struct compare_page_growth {
    const struct growth_input *input;
    const struct breakdown *const *breakdowns; /* in the order of the sides */
    struct side *side;                         /* the one that the page is of */
    struct breakdown *breakdown;
    const char *program;
    const struct evaluate_result *page;
};

void compare_page_changes(struct datacolumns *columns, const void *data);
void compare_page_growth(struct datacolumns *columns, const void *data);

#endif
