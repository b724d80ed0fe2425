/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of storage.h share; nobody else includes it.  */

#ifndef CCPROF_STORAGE_INSIDE_H
#define CCPROF_STORAGE_INSIDE_H

/* The thread-local word's name.  */
#define STORAGE_DELTA "ccprof_delta"

/* A row of storage_make_row; RECORD, in executables, is the first of its records, which
   storage_emit sets.  */
struct storage_row {
    tree variable;
    unsigned count, record;
};

extern struct storage_row *storage_rows;
extern size_t storage_row_count;

/* Whether any code reads the word.  */
bool storage_delta_is_read(void);

#endif
