/* SPDX-License-Identifier: MIT */
/* Prints messages of one line, "ccprof: ...", on standard error, for all of the
   runtime.  */

#ifndef CCPROF_SAY_H
#define CCPROF_SAY_H

/* Prints the strings PART and following, up to a null pointer, as one line of at most
   1,000 bytes.  Async-signal-safe; leaves errno alone.  */
void ccprof_say(const char *part, ...) __attribute__((sentinel));

/* Returns what the errno value ERROR means.  Async-signal-safe.  */
const char *ccprof_say_error(int error);

#endif
