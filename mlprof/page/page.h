/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a view as a page for a browser: one HTML file with the data, the texts of the
   sources, and the scripts that show them.  The page fetches nothing, and a policy in the
   file lets no other script run.

   The data are one JSON document of columns (datacolumns.h).  The page's scripts add them
   up as their reader chooses; the results must be those of the tables.

   Rows refer to rows of other tables by number, and -1 is none; texts are numbers in
   `texts'.  `functions' are the table's rows, in its order.  `nodes' are the tree of
   stacks, a parent before its children.  A node is a copy of a function at a position; if
   it is INLINED, its parent is the frame that it is inlined in.

   If the heap was measured beside what the page shows, `heap_page' has all these fields
   of the heap.  The texts of source files that the page has are not repeated there.  */

#ifndef MLPROF_PAGE_H
#define MLPROF_PAGE_H

#include "mlprof/page/datacolumns.h"
#include "mlprof/view/view.h"

#include <stdio.h>

/* The texts and fields of the page that do not come from the view.  */
struct page_about {
    const char *maker;   /* ccprof and its version */
    const char *program; /* as the user wrote it */
    const char *title;
    const char *notes;      /* the text below the table */
    const char *heap_notes; /* the same of the heap beside it; may be NULL */
    /* Prints more fields, with DATA as its context.  May be NULL.  */
    void (*print_more)(struct datacolumns *columns, const void *data);
    const void *data;
};

void page_print(FILE *out, const struct view *view, const struct page_about *about);

/* Prints ROW, an element of ROWS, which are of PROFILE, as an object with its histogram.
   Times are in nanoseconds.  Pages of comparisons have such objects, too.  */
void page_regions_print_row(struct json *json, const struct profile *profile,
                            const struct regionrows *rows,
                            const struct regionrows_row *row);

#endif
