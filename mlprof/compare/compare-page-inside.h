/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files compare-page*.c.  */

#ifndef MLPROF_COMPARE_PAGE_INSIDE_H
#define MLPROF_COMPARE_PAGE_INSIDE_H

#include "mlprof/compare/compare-page.h"

/* By number of a function of a side: its row in the page's table.  */
struct compare_page_rows {
    int64_t *row; /* to be freed */
    size_t count;
};

/* PLACES: the functions of SIDE are lines or expressions.  */
struct compare_page_rows compare_page_rows(struct side *side, const struct rows *rows,
                                           bool places);

/* The row of a function; DATACOLUMNS_NONE: the page has none.  */
int64_t compare_page_row(const struct compare_page_rows *rows, uint32_t function);

/* Prints what is measured and in which unit.  */
void compare_page_heading(struct json *json, const struct side *side,
                          enum side_measure measure, bool of_share);

void compare_page_side(struct json *json, const char *program, const struct side *side,
                       enum side_measure measure, double size, double total);

/* Prints the columns that all tables have: the function, line or expression of each of
   COUNT rows.  */
void compare_page_names(struct datacolumns *columns, const struct side_function **of,
                        const int64_t *rows, size_t count, bool places);

void compare_page_regions(struct datacolumns *columns,
                          const struct compare_page_regions *about);

#endif
