/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a view as a page for a browser: one HTML file with the data, the source
   texts, and the scripts that show them. export/html.c calls it. The page loads
   nothing from elsewhere, and a policy in the file prevents other scripts from
   running.

   The data is one JSON document of columns (datacolumns.h). The page's scripts add up
   the data as the reader chooses. Their results must equal the numbers in the printed
   tables. A row refers to a row of another table by its number; -1 means none. Texts
   are numbers in `texts'. `functions' are the rows of the table of functions, in its
   order. `nodes' are the tree of stacks, a parent before its children. A node is a
   copy of a function at a position. If a node is INLINED, its parent is the frame
   into which it is inlined.

   If the heap or waiting was measured in addition to the page's main measure, `beside'
   is a list of objects with all these fields for the heap and for waits. Source texts
   that the page already contains are not repeated in them. */

#ifndef MLPROF_PAGE_H
#define MLPROF_PAGE_H

#include "mlprof/page/datacolumns.h"
#include "mlprof/view/view.h"

#include <stdio.h>

/* Texts and fields of the page that do not come from the view. */
struct page_about {
    const char *maker;   /* "ccprof" and its version */
    const char *program; /* as given by the user */
    const char *title;
    const char *notes; /* text below the table */
    /* Returns the text below the tables of an element of `beside', to be freed. */
    char *(*notes_of)(const struct view *view);
    /* Prints more fields; DATA is its context. May be NULL. */
    void (*print_more)(struct datacolumns *columns, const void *data);
    const void *data;
};

void page_print(FILE *out, const struct view *view, const struct page_about *about);

/* Prints ROW, an element of PROFILE's ROWS, as an object with its histogram. Times
   are in nanoseconds. Pages of comparisons also use this function. */
void page_regions_print_row(struct json *json, const struct profile *profile,
                            const struct regionrows *rows,
                            const struct regionrows_row *row);

#endif
