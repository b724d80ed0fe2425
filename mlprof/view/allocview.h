/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says by what allocations are listed, makes the rows of such a list, and prints what it
   lacks.  */

#ifndef MLPROF_ALLOCVIEW_H
#define MLPROF_ALLOCVIEW_H

#include "mlprof/base/intern.h"
#include "mlprof/table/table.h"
#include "mlprof/view/view.h"

enum allocview_by {
    ALLOCVIEW_NONE,
    ALLOCVIEW_SITE, /* the position of the call, the type and the allocator */
    ALLOCVIEW_TYPE,
    /* The innermost frame outside of libraries, and the library function that it
       called.  */
    ALLOCVIEW_PATH
};

struct allocs_table_row;

/* The rows of the list by BY (allocs-table.h), sorted by their texts; *COUNT is their
   number.  To be freed, each with allocs_table_free_texts.  */
struct allocs_table_row *allocview_rows(const struct view *view, enum allocview_by by,
                                        size_t *count);

/* Makes TABLE, which table_free frees, of these rows, sorted as -sort says or by bytes;
   returns the total for percentages, in bytes.  */
uint64_t allocview_table(struct table *table, const struct view *view,
                         enum allocview_by by);

/* Prints which allocations the list by BY lacks, or has without an owner.  */
void allocview_print_missing(FILE *out, const struct view *view, enum allocview_by by);

/* What a program that counts allocations has not counted.  Starts as all zero.  */
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
