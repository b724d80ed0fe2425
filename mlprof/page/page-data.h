/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the page's data as one JSON document of columns (datacolumns.h), for page.c.
   The page's scripts add the data up again as their reader chooses; the results must be
   those of the tables.

   Rows refer to rows of other tables by number, and -1 is none; texts are numbers in
   `texts'.  `functions' are the table's rows, in its order.  `nodes' are the tree of
   stacks, a parent before its children.  A node is a copy of a function at a position; if
   it is INLINED, its parent is the frame that it is inlined in.

   If the heap was measured beside what the page is of, `heap_page' has all these fields
   of the heap; of source files that the page has their texts are left out.  */

#ifndef MLPROF_PAGE_DATA_H
#define MLPROF_PAGE_DATA_H

#include "mlprof/page/datacolumns.h"
#include "mlprof/view/view.h"

#include <stdio.h>

/* What is known of the report beside the view.  */
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

void page_data_print(FILE *out, const struct view *view, const struct page_about *about);

#endif
