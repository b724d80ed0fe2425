/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data files of datafiles.txt, by their names, for the tests of what mlprof reads. */

#ifndef TESTSUITE_DATAFILES_H
#define TESTSUITE_DATAFILES_H

#include "mlprof/profile/mlmon.h"

/* Returns the lines of datafiles.txt behind its heading.  */
char *datafiles_table(void);

/* Returns the text of the file, to be freed.  */
char *datafiles_text(const char *name);

/* Returns TEXT with TO in place of the first FROM, which must be there, and frees TEXT.
   EDIT is FROM|TO, up to the end of its line.  Sets *LINE, unless it is null, to the last
   line that was changed.  */
char *datafiles_edit(char *text, const char *edit, unsigned *line);

/* Returns what mlprof reads of the file, which must be valid.  */
struct profile datafiles_read(const char *name);

/* Checks how much of the heap AMOUNT is.  */
void datafiles_assert_amount(const struct heapdata_amount *amount, uint64_t blocks,
                             uint64_t bytes);

#endif
