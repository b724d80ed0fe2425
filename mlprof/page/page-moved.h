/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds expressions whose code the compiler has moved out of a loop, to before it, for
   page-code.c.  */

#ifndef MLPROF_PAGE_MOVED_H
#define MLPROF_PAGE_MOVED_H

#include "mlprof/page/page-inside.h"
#include "mlprof/program/machine-code.h"

/* An expression at LINE and COLUMN of a file that has code before a loop.  The loop has
   the lines FIRST to LAST of LOOP_FILE, which include the expression or the call that it
   was inlined for.  */
struct page_moved_place {
    int64_t file, line, column, loop_file, first, last;
};

/* Starts as all zero.  */
struct page_moved {
    struct index index, loop_index;
    struct page_moved_place *places;
    size_t count, capacity;
};

/* Adds the expressions of a function of the tables.  The function begins at START, and
   CFG is its code.  */
void page_moved_add(struct page_moved *moved, struct page_data *data,
                    const struct function *function, uint64_t start,
                    const struct cfg *cfg);

/* Prints the field `moved'.  */
void page_moved_print(struct page_moved *moved, struct page_data *data);

void page_moved_free(struct page_moved *moved);

#endif
