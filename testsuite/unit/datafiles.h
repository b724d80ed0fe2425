/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data files in datafiles-*.txt, by name. They test mlprof's reader and the runtime's
   writer. */

#ifndef TESTSUITE_DATAFILES_H
#define TESTSUITE_DATAFILES_H

/* Returns the lines of all datafiles-*.txt. */
char *datafiles_table(void);

/* Returns the text of the file. The caller frees it. */
char *datafiles_text(const char *name);

/* Replaces the first FROM in TEXT by TO, frees TEXT and returns the result. FROM must be
   in TEXT. EDIT is FROM|TO; TO ends at another | or at the end of the line. If LINE is
   not null, adds to *LINE the number of lines before the last changed line. */
char *datafiles_edit(char *text, const char *edit, unsigned *line);

#endif
