/* SPDX-License-Identifier: MIT */
/* Prints one-line messages on standard error, "ccprof: ...", for all of the runtime.  */

#ifndef CCPROF_SAY_H
#define CCPROF_SAY_H

/* Says the parts, up to a null pointer, one behind the other, as one line of at
   most 1,000 bytes.  Async-signal-safe; leaves errno alone.  */
void ccprof_say(const char *part, ...) __attribute__((sentinel));

/* What the errno value means.  Async-signal-safe.  */
const char *ccprof_say_error(int error);

#endif
