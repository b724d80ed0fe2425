/* SPDX-License-Identifier: MIT */
/* Prints messages of one line, "ccprof: ...", on standard error, for all of the runtime.
   If the program closes its standard error and opens a file of its own under that number,
   nothing is printed: the file is the program's.  */

#ifndef CCPROF_SAY_H
#define CCPROF_SAY_H

/* Notes what the standard error is.  Constructor.  */
void ccprof_say_start(void);

/* Returns the standard error that the process began with, for longer texts.  */
struct ccprof_file;
const struct ccprof_file *ccprof_say_file(void);

/* Prints the strings PART and following, up to a null pointer, as one line of at most
   1,000 bytes.  Async-signal-safe; leaves errno alone.  */
void ccprof_say(const char *part, ...) __attribute__((sentinel));

/* Returns what the errno value ERROR means.  Async-signal-safe.  */
const char *ccprof_say_error(int error);

#endif
