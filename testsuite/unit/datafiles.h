/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data files of datafiles-*.txt, by their names: for the tests of what mlprof reads,
   and of what the runtime writes. */

#ifndef TESTSUITE_DATAFILES_H
#define TESTSUITE_DATAFILES_H

/* Returns the lines of all datafiles-*.txt. */
char *datafiles_table(void);

/* Returns the text of the file, to be freed. */
char *datafiles_text(const char *name);

/* Returns TEXT with TO in place of the first FROM, which must be there, and frees TEXT.
   EDIT is FROM|TO, up to a third part or the end of its line. Adds to *LINE, unless it
   is null, the number of lines before the last one that was changed. */
char *datafiles_edit(char *text, const char *edit, unsigned *line);

#endif
