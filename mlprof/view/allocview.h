/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of allocations, by site, type or path, for the terminal, data formats, the
   page and comparisons (allocs-table.c), and the lines below the printed table
   (allocview.c).

   On the terminal, sites with the same position, type and allocator share one row.
   Data formats list each site.  */

#ifndef MLPROF_ALLOCVIEW_H
#define MLPROF_ALLOCVIEW_H

#include "mlprof/base/index.h"
#include "mlprof/columns/table.h"
#include "mlprof/view/views.h"

enum allocview_by {
    ALLOCVIEW_NONE,
    ALLOCVIEW_SITE, /* position of the call, type and allocator */
    ALLOCVIEW_TYPE,
    /* The innermost frame outside of libraries, and the library function called there. */
    ALLOCVIEW_PATH
};

/* A row: one site, or several sites that are joined.  Rows for the terminal have
   texts, which allocs_table_free_texts frees.  Rows for data formats use SITE.  */
struct allocs_table_row {
    const struct allocs_site *site;
    uint64_t blocks, bytes;
    /* The function to which the row belongs, and the position of the call.  In the
       list by type, SOURCE is STACKS_NONE and there is no position.  */
    uint32_t source;
    const char *file;
    uint32_t line, column;
    char *name, *position; /* SOURCE and the position as texts */
    char *type;
    char *allocator; /* in the list by path: the library function called */
};

/* Makes TABLE from COUNT ROWS.  TABLE takes ownership of the rows and their texts;
   table_free frees them.  Returns the total number of bytes, for percentages.  If BY
   is ALLOCVIEW_SITE, rows for data formats need no texts.  */
uint64_t allocs_table_make(struct table *table, const struct view *view,
                           enum allocview_by by, struct allocs_table_row *rows,
                           size_t count);

void allocs_table_free_texts(struct allocs_table_row *row);

extern const struct table_view allocs_table;

/* Fills the table for data formats.  */
views_fill allocs_table_fill;

/* Returns TEXT, a type or an allocator, as a value of a data format.  The value is
   null if the type or allocator is not known.  */
struct table_value allocs_table_known(const char *text);

/* Returns the noun for a row of the list by BY: `site', `path' or `type'.  */
const char *allocs_table_noun(enum allocview_by by);

/* Returns the name of function SOURCE of the stacks, as rows show it.  The caller
   frees the name.  */
char *allocs_table_name(const struct view *view, uint32_t source);

/* Returns the *COUNT rows of the list by BY, sorted by their texts.  The caller frees
   the array, and each row with allocs_table_free_texts.  */
struct allocs_table_row *allocs_table_rows(const struct view *view, enum allocview_by by,
                                           size_t *count);

/* Returns how many bytes library code allocated without being counted at a call
   outside of libraries.  Sets *KNOWN to whether every allocation site was counted at
   its calls.  */
uint64_t allocs_table_libraries_alone(const struct view *view, bool *known);

/* Makes TABLE of the rows of the list by BY, sorted as -sort says, by default by
   bytes. table_free frees it.  Returns the total number of bytes, for percentages.  */
uint64_t allocview_table(struct table *table, const struct view *view,
                         enum allocview_by by);

/* Prints which allocations are missing from the list by BY, and how many bytes of the
   list have no function outside of libraries.  */
void allocview_print_missing(FILE *out, const struct view *view, enum allocview_by by);

/* If one function has allocated more than half of all bytes, prints how to see its
   callers.  The reason: such a function often allocates for its callers, as wrappers
   of malloc do. Prints nothing for the list by type, for the program's main function,
   and in MLton's layout.  */
void allocview_print_most(FILE *out, const struct view *view, enum allocview_by by);

/* If the run has also measured the heap, prints how much memory was allocated outside
   of the code compiled with the kind alloc, for example in libraries.  Prints nothing
   if allocation sites or stacks were filtered, and in MLton's layout.  */
void allocview_print_beside(FILE *out, const struct view *view);

/* Allocations that a program with the kind alloc does not count.  All zero at first.  */
struct allocview_lacks {
    bool strings;            /* std::string's allocations are not counted */
    struct intern functions; /* names of the functions excluded from profiling */
};

/* Adds the allocations that PROGRAM does not count.  */
void allocview_add_lacks(struct allocview_lacks *lacks, const struct program *program);

/* Prints below a table which allocations were not counted.  */
void allocview_print_lacks(FILE *out, const struct allocview_lacks *lacks);

void allocview_free_lacks(struct allocview_lacks *lacks);

#endif
