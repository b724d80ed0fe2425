/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what the page shows, as one JSON document of columns (datacolumns.h), for
   page.c. The page's scripts add it up again by what their reader chooses; what they find
   must be what the tables say.

   Rows refer to rows of other tables by number, -1 is none; texts are numbers in `texts'.
   `functions' are the table's rows, in its order.  `nodes' are the tree of stacks, a
   parent before its children: a node is a copy of a function at a position, and what it
   was INLINED in is its parent, in one local stack.  */

#ifndef MLPROF_PAGE_DATA_H
#define MLPROF_PAGE_DATA_H

#include "mlprof/page/datacolumns.h"
#include "mlprof/view/view.h"

#include <stdio.h>

/* What is known of the report, beside the view.  */
struct page_about {
    const char *maker;   /* ccprof and its version */
    const char *program; /* as the user named it */
    const char *title;
    const char *notes; /* what stands below the table */
    /* Prints more fields, if it is not NULL; DATA is its own.  */
    void (*print_more)(struct datacolumns *columns, const void *data);
    const void *data;
};

void page_data_print(FILE *out, const struct view *view, const struct page_about *about);

#endif
