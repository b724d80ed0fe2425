/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the table of allocations for all outputs, by site, by type or by path
   (allocs-table.c), and prints what stands below it (allocview.c).  By site, the terminal
   joins those of one position; data formats do not.  */

#ifndef MLPROF_ALLOCVIEW_H
#define MLPROF_ALLOCVIEW_H

#include "mlprof/base/index.h"
#include "mlprof/columns/table.h"
#include "mlprof/view/views.h"

enum allocview_by {
    ALLOCVIEW_NONE,
    ALLOCVIEW_SITE, /* the position of the call, the type and the allocator */
    ALLOCVIEW_TYPE,
    /* The innermost frame outside of libraries, and the library function that it
       called.  */
    ALLOCVIEW_PATH
};

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

/* The rows of data formats.  */
views_fill allocs_table_fill;

/* The value of the TEXT of a type or an allocator, which is null if it is not known.  */
struct table_value allocs_table_known(const char *text);

/* The noun for a row of the list by BY: `site', `path' or `type'.  */
const char *allocs_table_noun(enum allocview_by by);

/* The name of a source of the stacks, as rows show it; to be freed.  */
char *allocs_table_name(const struct view *view, uint32_t source);

/* The rows of the list by BY, sorted by their texts; *COUNT is their number.  To be
   freed, each with allocs_table_free_texts.  */
struct allocs_table_row *allocs_table_rows(const struct view *view, enum allocview_by by,
                                           size_t *count);

/* The bytes that library code allocated and that no call outside of libraries has
   counted.  Sets *KNOWN to whether calls have counted for all allocation sites.  */
uint64_t allocs_table_libraries_alone(const struct view *view, bool *known);

/* Makes TABLE, which table_free frees, of these rows, sorted as -sort says or by bytes;
   returns the total for percentages, in bytes.  */
uint64_t allocview_table(struct table *table, const struct view *view,
                         enum allocview_by by);

/* Prints which allocations the list by BY lacks, or has without an owner.  */
void allocview_print_missing(FILE *out, const struct view *view, enum allocview_by by);

/* Says, if one function has allocated more than half, how to see who calls it: often it
   allocates for others, as wrappers of malloc do.  Nothing below a list by type, of a
   program's main function, and in MLton's layout.  */
void allocview_print_most(FILE *out, const struct view *view, enum allocview_by by);

/* Says how much was allocated beside the list: by libraries, and by what was not compiled
   with the kind alloc, if the run has measured the heap, too.  Nothing where that is not
   known, of a part of the stacks, and in MLton's layout.  */
void allocview_print_beside(FILE *out, const struct view *view);

/* Allocations that a program with the kind alloc has not counted.  Starts as all zero. */
struct allocview_lacks {
    bool strings;            /* what std::string allocates */
    struct intern functions; /* and these, by name, which are excluded */
};

/* Adds what PROGRAM lacks.  */
void allocview_add_lacks(struct allocview_lacks *lacks, const struct program *program);

/* Says so, below a table.  */
void allocview_print_lacks(FILE *out, const struct allocview_lacks *lacks);

void allocview_free_lacks(struct allocview_lacks *lacks);

#endif
