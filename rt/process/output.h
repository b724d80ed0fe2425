/* SPDX-License-Identifier: MIT */
/* Chooses the name of the run's file: what the setting says, for this process, as an
   absolute path, since the program may change its folder.  */

#ifndef CCPROF_OUTPUT_H
#define CCPROF_OUTPUT_H

#include <stdbool.h>

/* The pattern ends with a slash: it is a folder, in which each process has a file with a
   name that no other one has: PROGRAM.PID.TIME.mlmon, of the process' start in
   nanoseconds since 1970.  */
bool ccprof_output_collects(const char *pattern);

/* Settles the name.  PATTERN, which stays the caller's and there, may hold %p (the number
   of the process), %e (the program's name), %h (the host's), %r (the rank; 0 where nobody
   says one) and %%; it is relative to the folder where the program is now.  NULL is
   mlmon.out, with a dot and the rank behind it if there is one.  Constructor, after
   ccprof_origin_start.  */
void ccprof_output_start(const char *pattern);

/* The child of a fork, whose file has its own number in place of its parent's if the
   pattern has one, and otherwise behind the name.  */
void ccprof_output_child(void);

/* In a folder: the next file has a name of its own, with the time of now.  Who writes the
   run's files.  Async-signal-safe, as are the others.  */
void ccprof_output_next(void);

/* Until the process ends, or there is a next one.  */
const char *ccprof_output_path(void);

/* The same without, and its folder.  */
const char *ccprof_output_name(void);
const char *ccprof_output_folder(void);

/* Makes the folder, if that is what the pattern is, and its parent is there.  Returns 0
   or an errno value.  Async-signal-safe.  */
int ccprof_output_make_folder(void);

#endif
