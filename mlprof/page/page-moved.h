/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds expressions of which the compiler has moved code out of a loop, in front of it,
   for page-code.c.  */

#ifndef MLPROF_PAGE_MOVED_H
#define MLPROF_PAGE_MOVED_H

#include "mlprof/page/page-inside.h"
#include "mlprof/program/machine-code.h"

/* What stands at LINE and COLUMN of a file has code in front of a loop in whose lines,
   FIRST to LAST of LOOP_FILE, it is or was inlined.  */
struct page_moved_place {
    int64_t file, line, column, loop_file, first, last;
};

/* Starts as all zero.  */
struct page_moved {
    struct index index, loop_index;
    struct page_moved_place *places;
    size_t count, capacity;
};

/* Adds those of a function of the tables, which begins at START and whose code is CFG. */
void page_moved_add(struct page_moved *moved, struct page_data *data,
                    const struct function *function, uint64_t start,
                    const struct cfg *cfg);

/* Prints the field `moved'.  */
void page_moved_print(struct page_moved *moved, struct page_data *data);

void page_moved_free(struct page_moved *moved);

#endif
