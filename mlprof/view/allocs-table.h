/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the table of allocations for all outputs, by site, by type or by path.  By
   site, the terminal joins those of one position; data formats do not.  */

#ifndef MLPROF_ALLOCS_TABLE_H
#define MLPROF_ALLOCS_TABLE_H

#include "mlprof/table/table.h"
#include "mlprof/view/allocview.h"
#include "mlprof/view/views.h"

/* One site, or several that the terminal joins.  The texts, which the terminal shows, are
   to be freed; data formats use the site.  */
struct allocs_table_row {
    const struct allocs_site *site;
    uint64_t blocks, bytes;
    /* The function that the row belongs to, and the call there; by type STACKS_NONE, and
       no call.  */
    uint32_t source;
    const char *file;
    uint32_t line, column;
    char *name, *position; /* the same as texts */
    char *type;
    char *allocator; /* by path: the library function that was called */
};

/* Makes TABLE, which table_free frees, from COUNT rows, which it takes over with their
   texts; returns the total for percentages, in bytes.  By site, rows for data formats
   have no texts.  */
uint64_t allocs_table_make(struct table *table, const struct view *view,
                           enum allocview_by by, struct allocs_table_row *rows,
                           size_t count);

void allocs_table_free_texts(struct allocs_table_row *row);

extern const struct table_view allocs_table;

/* Compares the texts of two rows, for qsort.  */
int allocs_table_by_texts(const void *one, const void *other);

/* The value of the TEXT of a type or an allocator, which is null if it is not known.  */
struct table_value allocs_table_known(const char *text);

/* What a row of the list by BY is: `site', `path' or `type'.  */
const char *allocs_table_noun(enum allocview_by by);

/* The name of a source of the stacks, as rows show it; to be freed.  */
char *allocs_table_name(const struct view *view, uint32_t source);

#endif
