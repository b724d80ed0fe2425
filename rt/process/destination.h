/* SPDX-License-Identifier: MIT */
/* Opens what a profile is written to.  The folder may be somebody else's, who may put
   anything there at any time: nothing that was there is written to but a pipe, and no
   symbolic link is followed.  */

#ifndef CCPROF_DESTINATION_H
#define CCPROF_DESTINATION_H

#include <stdbool.h>

/* What a device, a socket, a pipe of another user than this one and root, or a symbolic
   link to one of these or into /proc is refused with.  */
#define CCPROF_DESTINATION_REFUSED EMEDIUMTYPE

/* Opens PATH if it is a pipe, without waiting for a reader, and otherwise a new temporary
   file beside it, whose name *TEMPORARY then is: null for a pipe, and valid until the
   next call.  Returns a descriptor behind those of the standard streams, or -1 with errno
   set, and *WRONG is the file whose error it is.  Async-signal-safe; one thread at a
   time.  */
int ccprof_destination_open(const char *path, const char **temporary, const char **wrong);

#endif
