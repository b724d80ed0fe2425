/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of cells.h share; nobody else includes it.  */

#ifndef CCPROF_CELLS_INSIDE_H
#define CCPROF_CELLS_INSIDE_H

/* The thread-local word's name.  */
#define CELLS_DELTA "ccprof_delta"

/* Of cells_make; in executables the first record of each, which cells_emit sets.  */
struct cells_row {
    tree variable;
    unsigned count, record;
};

extern struct cells_row *cells_rows;
extern size_t cells_row_count;

/* Whether any code reads the word.  */
bool cells_delta_is_read(void);

#endif
