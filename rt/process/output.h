/* SPDX-License-Identifier: MIT */
/* Chooses the name of the run's file, for the run and the writer of files: an absolute
   path made of the setting, since the program may change its folder.  */

#ifndef CCPROF_OUTPUT_H
#define CCPROF_OUTPUT_H

#include <stdbool.h>

/* Returns whether the pattern ends with a slash: then it is a folder, in which each
   process has a file with a unique name, PROGRAM.PID.TIME.mlmon, where TIME is the start
   of the process in nanoseconds since 1970.  */
bool ccprof_output_collects(const char *pattern);

/* Makes the name.  PATTERN, which must stay, may hold %p (the number of the process), %e
   (the program's name), %h (the host's name), %r (the rank, or 0) and %%; it is relative
   to the current folder.  NULL stands for mlmon.out, followed by a dot and the rank if
   there is one.  Constructor, after ccprof_origin_start.  */
void ccprof_output_start(const char *pattern);

/* Makes the name for the child of a fork, with the child's number where the pattern has a
   number, and otherwise appended.  */
void ccprof_output_child(void);

/* In a folder, makes the name of the next file, with the current time.  For the writer of
   the run's files.  Async-signal-safe, as are the functions below.  */
void ccprof_output_next(void);

/* Returns the path; it is valid until the process ends or the next name is made.  */
const char *ccprof_output_path(void);

/* Return the name without its folder, and the folder.  */
const char *ccprof_output_name(void);
const char *ccprof_output_folder(void);

/* Makes the folder if the pattern is one and its parent exists.  Returns 0 or an errno
   value.  */
int ccprof_output_make_folder(void);

#endif
