/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files compare-page*.c have in common.  */

#ifndef MLPROF_COMPARE_PAGE_INSIDE_H
#define MLPROF_COMPARE_PAGE_INSIDE_H

#include "mlprof/compare/compare-page.h"

/* By number of a side's function the row of the page's table that it is.  */
struct compare_page_rows {
    int64_t *row; /* to be freed */
    size_t count;
};

/* PLACES: the side's functions are lines or expressions.  */
struct compare_page_rows compare_page_rows(struct side *side, const struct rows *rows,
                                           bool places);

/* DATACOLUMNS_NONE: the page has no such row.  */
int64_t compare_page_row(const struct compare_page_rows *rows, uint32_t function);

/* What is measured, and in which unit.  */
void compare_page_heading(struct json *json, const struct side *side,
                          enum side_measure measure, bool of_share);

void compare_page_side(struct json *json, const char *program, const struct side *side,
                       double size, double total);

/* What all tables have: which function, line or expression each of COUNT rows is.  */
void compare_page_names(struct datacolumns *columns, const struct side_function **of,
                        const int64_t *rows, size_t count, bool places);

void compare_page_regions(struct datacolumns *columns,
                          const struct compare_page_regions *about);

#endif
