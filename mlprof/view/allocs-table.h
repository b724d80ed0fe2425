/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the table of allocations for all outputs: data formats have each site, the
   terminal those that are shown as one, by site, by type, or by path.  */

#ifndef MLPROF_ALLOCS_TABLE_H
#define MLPROF_ALLOCS_TABLE_H

#include "mlprof/table/table.h"
#include "mlprof/view/allocview.h"
#include "mlprof/view/views.h"

/* One site, or several that are shown as one; texts to be freed.  Data formats go by the
   site, the terminal by the texts.  */
struct allocs_table_row {
    const struct allocs_site *site;
    uint64_t blocks, bytes;
    char *name, *position; /* of the function that the row is of */
    char *type;
    char *allocator; /* by path: what was called of a library */
};

/* Makes TABLE, which table_free frees, of COUNT rows, which it takes over with their
   texts; returns the bytes that percentages are of.  Data formats need no texts, and
   ALLOCVIEW_NONE.  */
uint64_t allocs_table_make(struct table *table, const struct view *view,
                           enum allocview_by by, struct allocs_table_row *rows,
                           size_t count);

void allocs_table_free_texts(struct allocs_table_row *row);

extern const struct table_view allocs_table;

/* The rows of data formats.  */
views_fill allocs_table_fill;

/* Less than 0 if the texts of ONE come first.  */
int allocs_table_by_texts(const void *one, const void *other);

/* The name of one of the stacks' sources, as the rows show that; to be freed.  */
char *allocs_table_name(const struct view *view, uint32_t source);

#endif
